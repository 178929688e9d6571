/** A process that starts runs, or resumes the stored ones; some of them kill it. */
import * as v from "valibot";
import fs from "../../../adapters/storage/fs/fs.ts";
import { defineService } from "../../../src/index.ts";
import { openService } from "../../support/engine/service.ts";
import type { Order, Report } from "./order.ts";

const order: Order = JSON.parse(process.argv[2] ?? "");
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
let arm = () => {};
/** Runs wait for this, so that all of them are stored before one kills the process. */
const armed = new Promise<void>((resolve) => {
  arm = resolve;
});

const work = defineService({
  name: "work",
  actions: {
    do: {
      input: v.object({ kills_after: v.nullable(v.number()), milliseconds: v.number() }),
      output: v.boolean(),
      async run({ kills_after, milliseconds }) {
        await armed;
        if (kills_after === null) await sleep(milliseconds);
        else {
          if (kills_after > 0) await sleep(kills_after);
          process.kill(process.pid, "SIGKILL");
        }
        return true;
      },
    },
  },
});

const awake = setInterval(() => undefined, 1_000);
const { stepwell, app, deploy } = await openService(
  { storage: { entities: fs({ base: order.base }) }, services: [work] },
  order.app,
);
if (order.create.length > 0) {
  const input = { kills_after: "{{ input.kills_after }}", milliseconds: "{{ input.milliseconds }}" };
  const service = { service: "work", action: "do", input };
  const workflow = await deploy([
    { type: "service", key: "first", service },
    { type: "service", key: "second", service },
  ]);
  await Promise.all(order.create.map((input) => stepwell.runs.create(app, workflow, { input: { ...input } })));
}
console.log(`app ${app}`);
arm();

for (;;) {
  const { items } = await stepwell.runs.list(app, { take: 1_000 });
  if (items.every(({ finished_at }) => finished_at !== null)) break;
  await sleep(20);
}
const { items } = await stepwell.runs.list(app, { take: 1_000 });
const runs = await Promise.all(items.map(({ id }) => stepwell.runs.get(app, id)));
const ends = runs.map(({ input, status, error }) => ({
  isCulprit: input["kills_after"] !== null,
  status,
  code: error?.code ?? null,
}));
await stepwell.close();
console.log(`report ${JSON.stringify(ends satisfies Report)}`);
clearInterval(awake);
