/** A provider of models that the host has configured. */
import type { FieldProblem } from "../../elements/fields/field-note.tsx";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { useTexts } from "../../texts/language.ts";
import { useMe } from "../server-data.ts";
import { ChoiceField } from "./plain-fields.tsx";

interface ProviderFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly error: FieldProblem | null;
}

export function ProviderField({ label, value, onChange, error }: ProviderFieldProps) {
  const { steps: texts } = useTexts();
  const providers = useMe(useSurroundings().app.id)?.configured.models ?? null;
  return (
    <ChoiceField
      label={label}
      hint={providers?.length === 0 ? texts.noProviders : undefined}
      value={value}
      none={texts.none}
      error={error}
      options={(providers ?? []).map((name) => ({ value: name, label: name }))}
      onChange={onChange}
    />
  );
}
