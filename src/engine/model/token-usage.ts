/** What the answers of a step took, together. */
import type { JsonObject } from "../../json.ts";
import type { ModelAnswer, ModelUsage } from "../../ports/models.ts";

/** The cost is left out unless every answer has one: part of it would be taken for all. */
export function totalUsage(answers: readonly ModelAnswer[]): JsonObject {
  const sum = (field: Exclude<keyof ModelUsage, "cost">) => answers.reduce((all, { usage }) => all + usage[field], 0);
  const costs = answers.flatMap(({ usage }) => (usage.cost === null ? [] : [usage.cost]));
  return {
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    total_tokens: sum("total_tokens"),
    reasoning_tokens: sum("reasoning_tokens"),
    cached_tokens: sum("cached_tokens"),
    ...(costs.length === answers.length ? { cost: costs.reduce((all, cost) => all + cost, 0) } : {}),
  };
}
