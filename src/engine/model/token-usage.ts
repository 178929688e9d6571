/** Sums the token usage of a step's model responses. */
import { type JsonObject, omitUndefined } from "../../json.ts";
import type { ModelAnswer, ModelUsage } from "../../ports/models.ts";

/** Omits the cost unless every response has one: a partial sum would be mistaken for the total. */
export function totalUsage(answers: readonly ModelAnswer[]): JsonObject {
  const sum = (field: Exclude<keyof ModelUsage, "cost">) => answers.reduce((all, { usage }) => all + usage[field], 0);
  const costs = answers.flatMap(({ usage }) => (usage.cost === null ? [] : [usage.cost]));
  return {
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    total_tokens: sum("total_tokens"),
    reasoning_tokens: sum("reasoning_tokens"),
    cached_tokens: sum("cached_tokens"),
    ...omitUndefined({
      cost: costs.length === answers.length ? costs.reduce((all, cost) => all + cost, 0) : undefined,
    }),
  };
}
