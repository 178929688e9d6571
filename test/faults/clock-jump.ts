/** A program whose wall clock jumps an hour forward while steps wait for points in time and an action measures time. */
import * as v from "valibot";
import { createStepwell, defineService } from "../../src/index.ts";
import { setForward } from "../support/settable-clock.ts";
import { until } from "../support/until.ts";

const HOUR_S = 3_600;
const BASE = "http://localhost";

let release = (_: string) => {};
const held = new Promise<string>((resolve) => {
  release = resolve;
});
let calls = 0;
const work = defineService({
  name: "work",
  actions: {
    do: {
      input: v.object({}),
      output: v.string(),
      timeoutMs: 60_000,
      run() {
        calls++;
        console.log("working");
        return held;
      },
    },
  },
});

const stepwell = createStepwell({ services: [work], baseUrl: BASE });
const app = await stepwell.apps.create({ name: "A" });

async function deployStep(step: Parameters<typeof stepwell.workflows.create>[1]["steps"]): Promise<string> {
  const { id } = await stepwell.workflows.create(app.id, { name: "W", steps: step ?? [] });
  await stepwell.workflows.deploy(app.id, id);
  return id;
}

// The running action must not time out; everything that became due must fire.
const working = await stepwell.runs.create(
  app.id,
  await deployStep([{ type: "service", key: "do", service: { service: "work", action: "do", input: {} } }]),
);
const { id: delayed } = await stepwell.runs.create(
  app.id,
  await deployStep([
    {
      type: "service",
      key: "pause",
      service: { service: "scheduler", action: "delay", input: { seconds: HOUR_S - 60 } },
    },
  ]),
);
const scheduled = await deployStep([{ type: "note", key: "n", note: "" }]);
const at = new Date(Date.now() + (HOUR_S - 60) * 1_000).toISOString();
const schedule = await stepwell.schedules.create(app.id, { workflow_id: scheduled, at });
const address = await stepwell.files.createUpload(app.id, { expires_in: HOUR_S - 60 });
const { id: awaiting } = await stepwell.runs.create(
  app.id,
  await deployStep([{ type: "input", key: "start", input: { report: { type: "file" } } }]),
  { input: { report: [address.future_file_id] }, wait_for_files: true },
);
const { key } = await stepwell.keys.create(app.id, { name: "K", expires_at: at });
const follow = () =>
  stepwell.fetch(
    new Request(`${BASE}/apps/${app.id}/runs/${working.id}/events`, { headers: { authorization: `Bearer ${key}` } }),
  );
const stream = (await follow()).text();
await until(async () => (await stepwell.runs.get(app.id, delayed)).status === "waiting");

setForward(HOUR_S * 1_000);
await stream;
console.log("key", (await follow()).status);
console.log("delay", (await stepwell.runs.wait(app.id, delayed)).status);
console.log("file", (await stepwell.runs.wait(app.id, awaiting)).error?.code);
const file = { name: "late.txt", body: new Uint8Array(1) };
console.log("address", await stepwell.files.receive(address.upload_url, file).catch(({ code }) => code));
await until(async () => (await stepwell.schedules.get(app.id, schedule.id)).last !== null);
console.log("schedule", (await stepwell.runs.listOfWorkflow(app.id, scheduled)).items.length);
release("done");
const run = await stepwell.runs.wait(app.id, working.id);
console.log("work", run.status, calls);
await stepwell.close();
