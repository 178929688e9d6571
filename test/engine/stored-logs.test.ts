/** Logs of items and iterations: what their step has no room for is not stored, however many there are. */
import * as v from "valibot";
import { expect, it } from "vitest";
import { defineService, type Step } from "../../src/index.ts";
import { memory } from "../support/engine/memory.ts";
import { input, openService, step, to } from "../support/engine/service.ts";

const ITEMS = 100;
const LINE = "y".repeat(1_000);
/** Characters of the log of a step, as the guide says. */
const LIMIT = 128 * 1024;

const attempted = new Set<string>();

/** Logs 50 lines. Each item first fails once. */
const logger = defineService({
  name: "logger",
  actions: {
    write: {
      input: v.object({ n: v.number() }),
      output: v.number(),
      async run({ n }, { run_id, log }) {
        for (let line = 0; line < 50; line++) log(`${line} ${LINE}`);
        const key = `${run_id}/${n}`;
        const isFirst = !attempted.has(key);
        attempted.add(key);
        if (isFirst) throw new Error("again");
        return 1;
      },
    },
  },
});

const write = (n: string) => ({
  ...{ type: "service" as const, key: "write", service: { service: "logger", action: "write", input: { n } } },
  ...{ retry: { max_attempts: 2, initial_interval: 0.001, on: "any" as const }, ...to("ask") },
});

it.each<[name: string, step: Step]>([
  ["for_each", { ...write("{{ item }}"), for_each: { items: `range(0, ${ITEMS})` } }],
  ["a loop", { ...write("{{ iteration }}"), loop: `iteration == ${ITEMS}` }],
])("of a step with %s", async (_, logging) => {
  const data = new Map<string, string>();
  const first = await openService({ services: [logger], storage: { entities: memory(data).driver } });
  const { id } = await first.start([input("in", to("write")), logging, input("ask")]);
  const waiting = await first.until(id, (run) => step(run, "ask").status === "waiting");
  const logs = step(waiting, "write").logs ?? [];
  expect(logs.join("").length).toBeGreaterThan(LIMIT / 2);
  expect(logs.at(-1)).toBe("(truncated)");
  await first.stepwell.close();
  const stored = [...data.values()].reduce((sum, text) => sum + text.split(LINE).length - 1, 0);
  // The log has two copies: those in the storage, and those that the storage is about to delete.
  expect(stored * LINE.length).toBeLessThan(4 * LIMIT);
  const next = await openService({ services: [logger], storage: { entities: memory(data).driver } }, first.app);
  expect(step(await next.get(id), "write").logs).toEqual(logs);
  await next.stepwell.close();
});
