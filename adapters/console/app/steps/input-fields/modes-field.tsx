/** How steps that run the workflow may give a field. */
import type { FieldProblem } from "../../elements/fields/field-note.tsx";
import { useTexts } from "../../texts/language.ts";
import { ChoiceField } from "../controls/plain-fields.tsx";

type Modes = readonly ("value" | "expression")[] | undefined;

interface ModesFieldProps {
  readonly modes: Modes;
  readonly error: FieldProblem | null;
  readonly onChange: (modes: ("value" | "expression")[] | undefined) => void;
}

export function ModesField({ modes, error, onChange }: ModesFieldProps) {
  const { steps: texts, inputFields: fieldTexts } = useTexts();
  const chosen = modes === undefined ? undefined : modes.join();
  return (
    <ChoiceField
      label={fieldTexts.allowedModes}
      hint={fieldTexts.allowedModesHint}
      value={chosen}
      none={texts.byDefault(fieldTexts.modes.both)}
      error={error}
      options={[
        { value: "value", label: fieldTexts.modes.value },
        { value: "expression", label: fieldTexts.modes.expression },
        { value: "value,expression", label: fieldTexts.modes.both },
      ]}
      onChange={(value) => {
        const all = ["value", "expression"] as const;
        onChange(value === undefined ? undefined : all.filter((one) => value.split(",").includes(one)));
      }}
    />
  );
}
