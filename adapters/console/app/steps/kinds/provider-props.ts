/** What the fields of a model get. */
import type { ModelProvider } from "../../../../../src/workflows/model-provider.ts";
import type { FieldProblem } from "../../elements/fields/field-note.tsx";

export interface ProviderProps {
  readonly provider: ModelProvider;
  readonly onChange: (provider: ModelProvider) => void;
  readonly problemAt: (pointer: string) => FieldProblem | null;
}
