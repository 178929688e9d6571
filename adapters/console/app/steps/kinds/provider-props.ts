/** What the fields of a model get. */
import type { ModelProvider } from "../../../../../src/workflows/model-provider.ts";

export interface ProviderProps {
  readonly provider: ModelProvider;
  readonly onChange: (provider: ModelProvider) => void;
  readonly problemAt: (pointer: string) => string | null;
}
