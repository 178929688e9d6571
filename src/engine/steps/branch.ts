/** The step type `branch`: the first condition that is true decides where the run continues. */

import type { StepImplementation } from "../compile/step-implementation.ts";
import { StepError } from "../step-error.ts";

export const branch: StepImplementation<"branch"> = {
  compile(step, { expression }) {
    const conditions = Object.entries(step.conditions)
      .map(([name, { condition, order }]) => ({
        name,
        order,
        // A branch without a condition always matches.
        holds: condition === undefined ? () => true : expression(condition, ["conditions", name, "condition"]),
      }))
      .sort((one, other) => one.order - other.order);
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

function asBoolean(value: unknown, name: string): boolean {
  if (typeof value === "boolean") return value;
  const message = `The condition ${JSON.stringify(name)} must return true or false, not ${JSON.stringify(value)?.slice(0, 100)}.`;
  throw new StepError("expression_failed", message);
}
