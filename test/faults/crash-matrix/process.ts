/** A process that starts runs, or resumes the stored ones, until all have ended or it is killed. */
import fs from "../../../adapters/storage/fs/fs.ts";
import { drive } from "../../support/engine/crash.ts";
import { quickClock } from "../../support/engine/quick-clock.ts";
import { openService } from "../../support/engine/service.ts";
import { waitUntilSettled } from "./holdings.ts";
import { mortalDriver } from "./mortal-driver.ts";
import type { Order, Report } from "./order.ts";
import { reaching } from "./outside.ts";

const order: Order = JSON.parse(process.argv[2] ?? "");
const { app } = order;
const { driver, writes } = mortalDriver(fs({ base: order.base }), order.death);
// Timeouts that are long enough for a busy machine: 3 s for a write, 6 s for a request.
const clock = quickClock(10, undefined, false); // the next process continues at the real time
const awake = setInterval(() => undefined, 1_000);
const service = await openService({ storage: { entities: driver }, clock, ...reaching(order.outside) }, app);
const { runs } = service.stepwell;
console.log("ready");

async function create(workflow: string): Promise<string> {
  const { id } = await runs.create(app, workflow, { input: { n: 2, text: "{{ no }}" } });
  console.log(`created ${id}`);
  return id;
}

/** Prints ended steps once they are stored. */
async function printEndedSteps(run: string): Promise<void> {
  for await (const event of runs.events(app, run)) {
    if (event.type === "step.succeeded" || event.type === "step.failed") console.log(`ended ${run}/${event.step}`);
  }
}

const all = async () => (await runs.list(app, { take: 1_000 })).items;
const found = (await all()).filter(({ parent_run_id }) => parent_run_id === null).map(({ id }) => id);
const roots = order.create === null ? found : await Promise.all(order.create.map(create));
await Promise.all(roots.flatMap((id) => [drive(service, id), printEndedSteps(id)]));
const holdings = await waitUntilSettled(service);
const ended = await Promise.all((await all()).map(({ id }) => service.get(id)));
await service.stepwell.close();
console.log(`report ${JSON.stringify({ runs: ended, holdings, writes: writes() } satisfies Report)}`);
clearInterval(awake);
