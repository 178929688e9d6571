/** Pinned outputs of a draft, which its runs use instead of executing the steps. */
import { type FieldError, MAX_ERRORS } from "../../errors.ts";
import { type JsonValue, pointer } from "../../json.ts";
import { didYouMean } from "../../messages/closest-name.ts";
import { inputSteps } from "../../workflows/graph.ts";
import type { Step } from "../../workflows/step.ts";
import type { CompiledStep } from "./plan.ts";

export type Pinned = Readonly<Record<string, JsonValue>>;

/** The same step with a constant output, once: without its loop and items. Its condition still decides whether it runs. */
export function withPinnedOutput(compiled: CompiledStep, pinned: Pinned | undefined): CompiledStep {
  const { key } = compiled.step;
  const output = pinned !== undefined && Object.hasOwn(pinned, key) ? pinned[key] : undefined;
  if (output === undefined) return compiled;
  const policies = { ...compiled.policies, forEach: undefined, loopDelayMs: 0, waitLimitMs: undefined };
  return { ...compiled, policies, loop: undefined, executable: { kind: "pure", evaluate: () => output } };
}

/** Pins without effect. */
export function pinProblems(pinned: Pinned, steps: readonly Step[]): readonly FieldError[] {
  const byKey = new Map(steps.map((step, index) => [step.key, { type: step.type, index }]));
  const problems: FieldError[] = [];
  for (const key of Object.keys(pinned)) {
    if (problems.length > MAX_ERRORS) break;
    const found = byKey.get(key);
    const message = found === undefined ? unknownKey(key, [...byKey.keys()]) : problemOf(found, inputSteps(steps)[0]);
    if (message !== null) problems.push({ pointer: pointer(["pinned", key]), message });
  }
  return problems;
}

const unknownKey = (key: string, known: readonly string[]) =>
  `There is no step ${JSON.stringify(key.slice(0, 128))}.${didYouMean(key, known)}`;

function problemOf({ type, index }: Pick<Step, "type"> & { index: number }, start: number | undefined): string | null {
  if (type === "note") return "Must be omitted: a note has no output.";
  if (type === "branch")
    return "Must be omitted: a branch chooses its destinations by its conditions. Pin the steps before it.";
  return index === start ? "Must be omitted: runs start at this step, and its output is their input." : null;
}
