/** The values that a condition read, in one line such as "input.amount = 250". Pure. */
import type { StepCondition } from "../../../../../src/runs/inspection/step-details.ts";

const MAX_VALUES = 3;
const MAX_VALUE = 24;

export function valuesText(values: StepCondition["values"], most = MAX_VALUES): string {
  return values
    .slice(0, most)
    .map(({ path, value, preview }) => {
      const text = preview ?? (value === undefined ? "–" : JSON.stringify(value));
      return `${path} = ${text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text}`;
    })
    .join(", ");
}
