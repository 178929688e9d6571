/** Chooses the columns of a table of records. */
import { type FormEvent, useState } from "react";
import * as v from "valibot";
import { FieldPath } from "../../../../src/collections/mapping.ts";
import { Button } from "../elements/controls/button.tsx";
import { Field } from "../elements/fields/field.tsx";
import { useTexts } from "../texts/language.ts";

interface ColumnPickerProps {
  /** Fields that are offered, as `entity:field`. No list has all: the server does not know which fields records have. */
  readonly fields: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

export function ColumnPicker({ fields, chosen, onChange }: ColumnPickerProps) {
  const { records: texts, general } = useTexts();
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  /** A column that is taken away can be added again, and its box keeps the focus. */
  const [offered, setOffered] = useState(chosen);
  function add(event: FormEvent): void {
    event.preventDefault();
    const field = typed.trim();
    setWrong(!v.is(FieldPath, field));
    if (!v.is(FieldPath, field)) return;
    setTyped("");
    setOffered([...offered, field]);
    if (!chosen.includes(field)) onChange([...chosen, field]);
  }
  return (
    <details className="columns">
      <summary>{texts.columns}</summary>
      <div className="choices">
        {[...new Set([...fields, ...chosen, ...offered])].map((field) => (
          <label key={field}>
            <input
              type="checkbox"
              checked={chosen.includes(field)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, field] : chosen.filter((one) => one !== field))
              }
            />
            <code>{field}</code>
          </label>
        ))}
      </div>
      <form noValidate className="other" onSubmit={add}>
        <Field label={texts.otherColumn} error={isWrong ? texts.otherColumnWrong : null}>
          {(attributes) => (
            <input
              {...attributes}
              spellCheck={false}
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value);
                setWrong(false);
              }}
            />
          )}
        </Field>
        <Button type="submit">{general.add}</Button>
      </form>
    </details>
  );
}
