/** From import to the first finished run, in a process of its own: time and memory; and with bytecode that is kept. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median, report } from "./measure.js";

const [, file, child] = process.argv;

if (child === undefined) {
  const script = fileURLToPath(new URL(file, "file:///"));
  const inProcess = (...flags) =>
    JSON.parse(execFileSync(process.execPath, [...flags, script, "child"], { encoding: "utf8" }));
  const withBytecode = () => inProcess("--conditions=stepwell-bytecode");
  withBytecode(); // keeps it
  const turns = Array.from({ length: 9 }, () => ({ plain: inProcess(), cached: withBytecode() }));
  const seen = turns.map(({ plain }) => plain);
  const ratio = (name) => median(turns.map(({ plain, cached }) => cached[name] / plain[name]));
  report("import to first finished run", median(seen.map((one) => one.milliseconds)), "ms", "under 40");
  report("the same with bytecode: time, against without", ratio("milliseconds"), "", "at most 0.5");
  report("the same: processor time", ratio("processor"), "", "at most 0.5");
  report("memory of that process, resident", median(seen.map((one) => one.megabytes)), "MB", "under 60");
  report("memory of the process before it", median(seen.map((one) => one.before)), "MB");
} else {
  const before = process.memoryUsage().rss / 2 ** 20;
  const used = process.cpuUsage();
  const start = performance.now();
  const { createStepwell } = await import("stepwell");
  const stepwell = createStepwell();
  const app = await stepwell.apps.create({ name: "First" });
  const steps = [
    { type: "input", key: "start", input: { n: { type: "number" } } },
    {
      type: "branch",
      key: "judge",
      conditions: { high: { order: 1, condition: "input.n > 10", destinations: ["end"] } },
    },
    { type: "note", key: "end", note: "Done." },
  ];
  steps[0].destinations = ["judge"];
  const workflow = await stepwell.workflows.create(app.id, { name: "First", steps });
  await stepwell.workflows.deploy(app.id, workflow.id);
  const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { n: 12 } });
  const run = await stepwell.runs.wait(app.id, id);
  const milliseconds = performance.now() - start;
  const { user, system } = process.cpuUsage(used);
  if (run.status !== "succeeded") throw new Error(JSON.stringify(run));
  console.log(
    JSON.stringify({ milliseconds, processor: user + system, megabytes: process.memoryUsage().rss / 2 ** 20, before }),
  );
  await stepwell.close();
}
