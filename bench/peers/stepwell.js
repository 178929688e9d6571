/** Ours: the actions are actions of a service, with schemas that are checked; the journal is always on. */
import { createStepwell } from "stepwell";
import fsDriver from "stepwell/storage/fs";
import memoryDriver from "stepwell/storage/memory";
import sqlite from "stepwell/storage/sqlite";
import { hostActions } from "../actions.js";
import { checked, INPUT } from "./work.js";

export async function start({ base, sync = false, file }) {
  if (file !== undefined) return deployed({ entities: sqlite({ file, sync }) });
  const driver = () => (base === undefined ? memoryDriver() : fsDriver({ base, sync }));
  // Without a driver, as users have it who keep nothing. Writes are counted with one.
  const service = await deployed(base === undefined ? {} : { entities: driver() });
  return {
    once: service.once,
    /** Writes to the driver for each of a hundred runs, one after the other, in a service of their own. */
    async measure() {
      await service.close();
      const writes = { count: 0 };
      const { once, close } = await deployed({ entities: counted(driver(), writes) });
      const before = writes.count;
      for (let run = 0; run < 100; run++) await once();
      const each = (writes.count - before) / 100;
      await close();
      return { writes: each };
    },
    close: service.close,
  };
}

/** @param cluster For a process of a cluster. */
export async function deployed(storage, cluster) {
  const { step, options } = hostActions();
  const stepwell = createStepwell({ storage, cluster, ...options });
  const app = await stepwell.apps.create({ name: "Bench" });
  const workflow = await stepwell.workflows.create(app.id, { name: "Five", steps: five(step) });
  await stepwell.workflows.deploy(app.id, workflow.id);
  return {
    async once() {
      const { id } = await stepwell.runs.create(app.id, workflow.id, { input: INPUT });
      const run = await stepwell.runs.wait(app.id, id);
      if (run.status !== "succeeded") throw new Error(JSON.stringify(run.error));
      checked(run.output);
    },
    close: () => stepwell.close(),
  };
}

const five = (action) => [
  { type: "input", key: "input", input: { n: { type: "number" } }, destinations: ["double"] },
  { ...action("double", { n: "{{ input.n }}" }), key: "double", destinations: ["branch"] },
  {
    type: "branch",
    key: "branch",
    conditions: { high: { order: 1, condition: "steps.double.output.value > 10", destinations: ["increase"] } },
    else: ["finish"],
  },
  { ...action("increase", { value: "{{ steps.double.output.value }}" }), key: "increase", destinations: ["finish"] },
  { ...action("finish", { value: "{{ steps.increase.output.value }}" }), key: "finish" },
];

/** A driver that counts what is written. */
function counted(driver, writes) {
  const counting = { ...driver };
  for (const name of ["setItem", "setItemRaw"]) {
    const method = driver[name];
    counting[name] = (...args) => {
      writes.count++;
      return method.apply(driver, args);
    };
  }
  if (driver.openItem === undefined) return counting;
  counting.openItem = async (...args) => {
    const item = await driver.openItem(...args);
    return {
      write(piece) {
        writes.count++;
        return item.write(piece);
      },
      close: () => item.close(),
    };
  };
  return counting;
}
