/**
 * Lists of runs with filters, out of 10,000 and of 100,000 runs in memory, and the deletion of runs.
 * `node bench/run-filters.js 1000000` compares a million with a tenth of it, and needs `--max-old-space-size=8192`.
 */
import { createStepwell } from "stepwell";
import { at, report, times } from "./measure.js";

const [, , given = "100000"] = process.argv;
const MANY = Number(given);
const stepwell = createStepwell();

/** An app with runs that end at once: one of 1,000 has the tag `rare`, one of 10 `often`, and each a customer. */
async function filled(count) {
  const app = await stepwell.apps.create({ name: String(count) });
  const steps = [
    { type: "input", key: "in", input: {}, destinations: ["no"] },
    { type: "note", key: "no", note: "", conditional: "input.fails ? [1][2] == 1 : true" },
  ];
  const workflow = await stepwell.workflows.create(app.id, { name: "W", steps });
  await stepwell.workflows.deploy(app.id, workflow.id);
  for (let from = 0; from < count; from += 500) {
    const create = (n) =>
      stepwell.runs.create(app.id, workflow.id, {
        input: { fails: n % 500 === 0 },
        tags: [n % 1_000 === 0 ? "rare" : "usual", n % 10 === 0 ? "often" : "other"],
        metadata: { customer: `c${n % 5_000}`, even: n % 2 === 0 },
      });
    await Promise.all(Array.from({ length: Math.min(500, count - from) }, (_, n) => create(from + n)));
  }
  return { app: app.id, count };
}

const few = await filled(MANY / 10);
const many = await filled(MANY);
const filters = {
  failed: { status: "failed" },
  "failed or canceled": { status: ["failed", "canceled"] },
  "no such status": { status: "waiting" },
  "a rare tag": { tags: "rare" },
  "a frequent tag, oldest first": { tags: "often", order: "asc" },
  "a customer": { metadata: { customer: "c17" } },
  "a frequent tag, even and failed": { tags: "often", metadata: { even: true }, status: "failed" },
  "no such tag": { tags: "none" },
  "a version and a trigger": { version: 1, trigger: "api" },
};
for (const [name, filter] of Object.entries(filters)) {
  const median = async ({ app }) => at(await times(() => stepwell.runs.list(app, { ...filter, take: 20 }), 60), 0.5);
  const [small, large] = [await median(few), await median(many)];
  report(`${name}: ${MANY} runs`, large, "ms", "under 5");
  report(`${name}: over ${MANY / 10} runs`, large / small, "times");
}

const { items } = await stepwell.runs.list(many.app, { tags: "often", take: 1_000 });
const started = performance.now();
for (let from = 0; from < items.length; from += 50) {
  await Promise.all(items.slice(from, from + 50).map(({ id }) => stepwell.runs.remove(many.app, id)));
}
report("deletions, 50 at once", (items.length * 1_000) / (performance.now() - started), "/s", "at least 5,000");
await stepwell.close();
