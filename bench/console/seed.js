/** The app that the console shows in these benches: 10,000 runs, large workflows, and runs with much in them. */
import * as v from "valibot";
import { defineService } from "../../src/index.ts";
import { openConsoleServer } from "../../test/console/support/console-server.ts";
import { EVERY_FIELD } from "../../test/console/support/every-field.ts";
import { createSeedClock, largeSteps, seed } from "../../test/console/support/seed.ts";

/** Fewer start sooner, while a bench is written. */
const RUNS = Number(process.env.BENCH_RUNS ?? 10_000);
const ITEMS = 5_000;
const LOGS_MS = 4_000;

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const service = defineService({
  name: "bench",
  title: "Bench",
  actions: {
    rows: {
      title: "Rows",
      input: v.object({ count: v.number() }),
      output: v.any(),
      run: async ({ count }) => Array.from({ length: count }, (_, id) => ({ id, note: "x".repeat(160) })),
    },
    same: { title: "Same", input: v.object({ value: v.any() }), output: v.any(), run: async ({ value }) => value },
    talk: {
      title: "Log for a time",
      input: v.object({ milliseconds: v.number(), first: v.number() }),
      output: v.any(),
      async run({ milliseconds, first }, { log }) {
        const end = Date.now() + milliseconds;
        await sleep(Math.min(first, milliseconds));
        for (let line = 1; Date.now() < end; line++) {
          log(`Line ${line} of a log.`);
          await sleep(Math.max(0, Math.min(LOGS_MS, end - Date.now())));
        }
        return { milliseconds };
      },
    },
  },
});

const act = (key, action, input, more = {}) => ({
  type: "service",
  key,
  service: { service: "bench", action, input },
  ...more,
});
const start = (...destinations) => ({ type: "input", key: "start", input: {}, destinations });

/** 199 steps beside each other, which end one after the other and log 50 lines a second together. */
function talking(seconds) {
  const steps = Array.from({ length: 199 }, (_, n) => {
    const milliseconds = Math.round(((n + 1) * seconds * 1_000) / 199);
    return act(`talk_${n}`, "talk", { milliseconds, first: n * 20 });
  });
  return [start(...steps.map(({ key }) => key)), ...steps];
}

/** A server with all of it. Its runs have ended, except those that a bench starts. */
export async function openSeededServer() {
  const clock = createSeedClock();
  const server = await openConsoleServer({ clock, services: [service] });
  const { stepwell, app } = server;
  await seed(server, clock, { runs: RUNS });

  async function deploy(name, steps, more = {}) {
    const { id } = await stepwell.workflows.create(app.id, { name, steps, ...more });
    await stepwell.workflows.deploy(app.id, id);
    return id;
  }
  async function ended(workflow, input = {}) {
    const { id } = await stepwell.runs.create(app.id, workflow, { input });
    await stepwell.runs.wait(app.id, id);
    return id;
  }
  const items = (count) => [
    start("numbers"),
    act("numbers", "same", { value: Array.from({ length: count }, (_, n) => n) }, { destinations: ["items"] }),
    act("items", "same", { value: "{{ item }}" }, { for_each: { items: "steps.numbers.output", concurrency: 100 } }),
  ];
  const large = {
    200: await deploy("Two hundred steps", largeSteps(200)),
    500: await deploy("Five hundred steps", largeSteps(500)),
  };
  return {
    ...server,
    large,
    largeRun: { 200: await ended(large[200], { n: 5 }), 500: await ended(large[500], { n: 5 }) },
    itemRun: {
      few: await ended(await deploy("Five items", items(5))),
      many: await ended(await deploy("Many items", items(ITEMS))),
    },
    bigRun: await ended(await deploy("Big output", [start("big"), act("big", "rows", { count: 55_000 })])),
    form: await deploy("Every field", [], { input: EVERY_FIELD, input_default: { rate: 3 } }),
    startTalking: async (seconds) =>
      (await stepwell.runs.create(app.id, await deploy("Talk", talking(seconds)), {})).id,
  };
}
