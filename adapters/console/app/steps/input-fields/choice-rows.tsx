/** Values to choose from: those of `options`, and those of `list`. */

import type { SelectField, SelectOption } from "../../../../../src/workflows/input/input-field.ts";
import { FieldNote, type FieldProblem } from "../../elements/fields/field-note.tsx";
import { useTexts } from "../../texts/language.ts";
import { AddRow } from "../controls/add-row.tsx";
import { Row, RowTools } from "../controls/row-tools.tsx";
import { moved, removed, replaced, withField } from "../step-change.ts";

interface OptionRowsProps {
  readonly options: readonly SelectOption[];
  readonly onChange: (options: readonly SelectOption[]) => void;
  readonly error: FieldProblem | null;
}

export function OptionRows({ options, onChange, error }: OptionRowsProps) {
  const { general, inputFields: fieldTexts } = useTexts();
  return (
    <div className="rows">
      <h3>{fieldTexts.options}</h3>
      {options.map((option, index) => {
        const name = fieldTexts.optionNumber(index + 1);
        const move = (by: -1 | 1) => onChange(moved(options, index, by));
        const set = (next: SelectOption) => onChange(replaced(options, index, next));
        return (
          <Row key={index} name={name} onMove={move}>
            <div className="row-head">
              <input
                aria-label={`${name}: ${general.value}`}
                placeholder={general.value}
                value={option.value}
                onChange={({ target }) => set({ ...option, value: target.value })}
              />
              <input
                aria-label={`${name}: ${fieldTexts.fieldLabel}`}
                placeholder={fieldTexts.fieldLabel}
                value={option.label ?? ""}
                onChange={({ target }) =>
                  set(withField(option, "label", target.value === "" ? undefined : target.value))
                }
              />
              <RowTools
                name={name}
                isFirst={index === 0}
                isLast={index === options.length - 1}
                onMove={move}
                onRemove={() => onChange(removed(options, index))}
              />
            </div>
            <input
              aria-label={`${name}: ${general.description}`}
              placeholder={general.description}
              value={option.desc ?? ""}
              onChange={({ target }) => set(withField(option, "desc", target.value === "" ? undefined : target.value))}
            />
          </Row>
        );
      })}
      <FieldNote problem={error} />
      <AddRow onAdd={() => onChange([...options, { value: "" }])}>{fieldTexts.addOption}</AddRow>
    </div>
  );
}

type Choices = NonNullable<SelectField["list"]>;
type One = Choices[number];

interface ChoiceRowsProps {
  readonly label: string;
  readonly choices: readonly One[] | undefined;
  readonly onChange: (choices: One[] | undefined) => void;
  readonly error: FieldProblem | null;
}

const plainValue = (one: One) => (typeof one === "object" ? one.value : one);

/** Keeps the type of the value where the text still says the same. */
function withValue(one: One, text: string): One {
  const before = plainValue(one);
  const next = typeof before === "number" && String(Number(text)) === text ? Number(text) : text;
  return typeof one === "object" ? { ...one, value: next } : next;
}

function withLabel(one: One, label: string): One {
  return label === "" ? plainValue(one) : typeof one === "object" ? { ...one, label } : { value: one, label };
}

export function ChoiceRows({ label, choices = [], onChange, error }: ChoiceRowsProps) {
  const { general, inputFields: fieldTexts } = useTexts();
  const change = (next: One[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <div className="rows">
      <h3>{label}</h3>
      {choices.map((one, index) => {
        const name = fieldTexts.valueNumber(index + 1);
        const move = (by: -1 | 1) => change(moved(choices, index, by));
        return (
          <Row key={index} name={name} onMove={move}>
            <div className="row-head">
              <input
                aria-label={`${name}: ${general.value}`}
                placeholder={general.value}
                value={String(plainValue(one))}
                onChange={({ target }) => change(replaced(choices, index, withValue(one, target.value)))}
              />
              <input
                aria-label={`${name}: ${fieldTexts.fieldLabel}`}
                placeholder={fieldTexts.fieldLabel}
                value={typeof one === "object" ? one.label : ""}
                onChange={({ target }) => change(replaced(choices, index, withLabel(one, target.value)))}
              />
              <RowTools
                name={name}
                isFirst={index === 0}
                isLast={index === choices.length - 1}
                onMove={move}
                onRemove={() => change(removed(choices, index))}
              />
            </div>
          </Row>
        );
      })}
      <FieldNote problem={error} />
      <AddRow onAdd={() => change([...choices, ""])}>{fieldTexts.addValue}</AddRow>
    </div>
  );
}
