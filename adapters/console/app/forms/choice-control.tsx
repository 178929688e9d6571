/** One of several values: radio buttons, or a list that opens. */
import type { Choice } from "../../../../src/forms/model/form-model.ts";
import { useTexts } from "../texts/language.ts";
import type { ControlProps } from "./control-props.ts";

export function ChoiceControl(props: ControlProps<"choice">) {
  return props.shape.look === "radio" ? <Radios {...props} /> : <Dropdown {...props} />;
}

function Radios({ shape, entry, change, attributes, isRequired }: ControlProps<"choice">) {
  const { forms } = useTexts();
  const value = entry.kind === "choice" ? entry.value : null;
  const { "aria-invalid": _, ...described } = attributes;
  return (
    <div
      {...described}
      role="radiogroup"
      aria-labelledby={`${attributes.id}-label`}
      aria-required={isRequired}
      className="options"
    >
      {shape.choices.map((choice) => (
        <Option
          key={`${typeof choice.value} ${choice.value}`}
          name={attributes.id}
          choice={choice}
          isChosen={value === choice.value}
          onChoose={() => change(() => ({ kind: "choice", value: choice.value }))}
        />
      ))}
      {isRequired ? null : (
        <Option
          name={attributes.id}
          choice={{ value: "", label: forms.noAnswer, desc: null }}
          isChosen={value === null}
          onChoose={() => change(() => ({ kind: "choice", value: null }))}
        />
      )}
    </div>
  );
}

interface OptionProps {
  readonly name: string;
  readonly choice: Choice;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Option({ name, choice: { label, desc }, isChosen, onChoose }: OptionProps) {
  return (
    <label className="option">
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span>
        <bdi>{label}</bdi>
        {desc === null ? null : <bdi className="option-desc">{desc}</bdi>}
      </span>
    </label>
  );
}

/** Options are identified by their positions: two of them may look alike, such as 1 and "1". */
function Dropdown({ shape, entry, change, attributes, placeholder, isRequired }: ControlProps<"choice">) {
  const { forms } = useTexts();
  const value = entry.kind === "choice" ? entry.value : null;
  const at = shape.choices.findIndex((choice) => choice.value === value);
  return (
    <select
      {...attributes}
      required={isRequired}
      value={at === -1 ? "" : String(at)}
      onChange={({ target }) => {
        const chosen = target.value === "" ? undefined : shape.choices[Number(target.value)];
        change(() => ({ kind: "choice", value: chosen?.value ?? null }));
      }}
    >
      <option value="">{placeholder ?? forms.choose}</option>
      {shape.choices.map(({ label, desc }, index) => (
        <option key={String(index)} value={String(index)}>
          {desc === null ? label : `${label} – ${desc}`}
        </option>
      ))}
    </select>
  );
}
