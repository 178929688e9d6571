/** The step type `branch`: the first condition that is true decides where the run continues. */

import { entriesInOrder } from "../../workflows/input/entries-in-order.ts";
import type { BranchStep } from "../../workflows/step.ts";
import type { StepImplementation } from "../compile/step-implementation.ts";
import { StepError } from "../step-error.ts";

export const branch: StepImplementation<"branch"> = {
  compile(step, { expression, warn }) {
    const always = alwaysTaken(step);
    if (always !== undefined) warn(["conditions", always, "condition"], ALWAYS);
    const conditions = entriesInOrder(step.conditions).map(([name, { condition }]) => ({
      name,
      // A branch without a condition always matches.
      holds: condition === undefined ? () => true : expression(condition, ["conditions", name, "condition"]),
    }));
    return {
      kind: "pure",
      evaluate(scope) {
        for (const { name, holds } of conditions) {
          if (asBoolean(holds(scope), name)) return { taken: name };
        }
        return { taken: null };
      },
    };
  },
};

const ALWAYS = "There is no expression: this condition always holds, and no other way is ever taken.";

/** A condition without an expression that nobody wants: after others, and without an else, it is the way that is left. */
function alwaysTaken({ conditions, else: otherwise = [] }: BranchStep): string | undefined {
  const ordered = entriesInOrder(conditions);
  const at = ordered.findIndex(([, { condition }]) => condition === undefined);
  const isLeft = at > 0 && at === ordered.length - 1 && otherwise.length === 0;
  return isLeft ? undefined : ordered[at]?.[0];
}

function asBoolean(value: unknown, name: string): boolean {
  if (typeof value === "boolean") return value;
  const message = `The condition ${JSON.stringify(name)} must return true or false, not ${JSON.stringify(value)?.slice(0, 100)}.`;
  throw new StepError("expression_failed", message);
}
