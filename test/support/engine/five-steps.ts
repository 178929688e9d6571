/** Runs of five steps in memory, for programs that measure them. */
import * as v from "valibot";
import { createStepwell, defineService } from "../../../src/index.ts";

const value = v.object({ value: v.number() });
const service = defineService({
  name: "work",
  actions: {
    double: { input: v.object({ n: v.number() }), output: value, run: ({ n }) => ({ value: n * 2 }) },
    increase: { input: value, output: value, run: (given) => ({ value: given.value + 1 }) },
  },
});
const stepwell = createStepwell({ services: [service] });
const { id: app } = await stepwell.apps.create({ name: "A" });
const { id: workflow } = await stepwell.workflows.create(app, {
  name: "W",
  steps: [
    { type: "input", key: "input", input: { n: { type: "number" } }, destinations: ["double"] },
    {
      type: "service",
      key: "double",
      service: { service: "work", action: "double", input: { n: "{{ input.n }}" } },
      destinations: ["branch"],
    },
    {
      type: "branch",
      key: "branch",
      conditions: { high: { order: 1, condition: "steps.double.output.value > 10", destinations: ["increase"] } },
      else: ["last"],
    },
    {
      type: "service",
      key: "increase",
      service: { service: "work", action: "increase", input: { value: "{{ steps.double.output.value }}" } },
      destinations: ["last"],
    },
    {
      type: "service",
      key: "last",
      service: { service: "work", action: "increase", input: { value: "{{ steps.double.output.value }}" } },
    },
  ],
});
await stepwell.workflows.deploy(app, workflow);

export async function allRuns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const { id } = await stepwell.runs.create(app, workflow, { input: { n: 12 } });
    const { status } = await stepwell.runs.wait(app, id);
    if (status !== "succeeded") throw new Error(`The run has ${status}.`);
  }
}

/** Collects all garbage. */
export function collect(): void {
  if (globalThis.gc === undefined) throw new Error("Start this with --expose-gc.");
  globalThis.gc();
}

/** Ends the service. */
export const close = () => stepwell.close();
