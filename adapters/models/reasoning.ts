/** Requests reasoning. Since version 7, the AI SDK has a setting for it; before, each provider has its own options. */
import type { LanguageModel } from "ai";
import type { ModelCall } from "../../src/ports/models.ts";

type Effort = NonNullable<ModelCall["reasoning"]>;
type ProviderOptions = Readonly<Record<string, Readonly<Record<string, string | number | object>>>>;

/** Tokens for models that have no levels. */
const BUDGET_TOKENS: Readonly<Record<Effort, number>> = { low: 2_048, medium: 8_192, high: 16_384 };
/** These decide by themselves how much they think, and refuse a budget or will. */
const ADAPTIVE_CLAUDE = /claude-[a-z]+-(?:4-(?:[6-9]|\d\d\b)|[5-9])/;

/** Whether the provider of the model reads the setting `reasoning`. */
export function hasReasoningSetting(model: LanguageModel): boolean {
  return typeof model === "string" || !/^v[123]$/.test(model.specificationVersion);
}

/** Options of the provider of a model without the setting. Each provider reads only its own. */
export function reasoningOptions(model: LanguageModel, effort: Effort): ProviderOptions {
  if (typeof model === "string") return {};
  const [name = model.provider] = model.provider.split(".");
  const budgetTokens = BUDGET_TOKENS[effort];
  return {
    [name]: { reasoningEffort: effort },
    openai: { reasoningEffort: effort },
    anthropic: ADAPTIVE_CLAUDE.test(model.modelId)
      ? { thinking: { type: "adaptive" }, effort }
      : { thinking: { type: "enabled", budgetTokens } },
    google: { thinkingConfig: { thinkingBudget: budgetTokens } },
  };
}
