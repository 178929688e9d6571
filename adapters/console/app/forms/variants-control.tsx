/** A value of one of several forms: which one, and its control. */
import { useCallback } from "react";
import { emptyEntry } from "../../../../src/forms/model/entry.ts";
import { chooseVariant } from "../../../../src/forms/model/fill-entry.ts";
import type { Shape, VariantsShape } from "../../../../src/forms/model/form-model.ts";
import { useTexts } from "../texts/language.ts";
import { type Change, type ControlProps, isGroup } from "./control-props.ts";
import { useForm } from "./form-context.ts";
import { variantNames } from "./variant-names.ts";

export function VariantsControl({
  shape,
  entry,
  change,
  place,
  label,
  isRequired,
  attributes,
}: ControlProps<"variants">) {
  const { forms } = useTexts();
  const { notation, Control } = useForm();
  const { variants } = shape;
  const chosen = entry.kind === "variants" ? entry.chosen : null;
  const variant = chosen === null ? undefined : variants[chosen];
  const names = variantNames(variants, forms.kinds);
  const changeChosen = useCallback<Change>(
    (update) =>
      change((before) => {
        if (before.kind !== "variants" || before.chosen === null) return before;
        const own = before.entries[before.chosen];
        return own === undefined ? before : { ...before, entries: { ...before.entries, [before.chosen]: update(own) } };
      }),
    [change],
  );
  const { id, ...described } = attributes;
  const { "aria-invalid": _, ...group } = described;
  const inner = { id: `${id}-value`, ...described };
  const choice = {
    id: `${id}-variant`,
    label: forms.kindOf(label),
    names,
    chosen,
    isRequired,
    onChoose: (next: number | null) => change((before) => chooseVariant(shape, before, next, notation)),
  };
  const own = entry.kind === "variants" && chosen !== null ? entry.entries[chosen] : undefined;
  return (
    <div
      {...group}
      id={id}
      role="group"
      aria-labelledby={`${id}-label`}
      className={`variants-control${isInLine(shape) ? " in-line" : ""}`}
    >
      {shape.look === "radio" ? <Radios {...choice} /> : <Dropdown {...choice} />}
      {variant === undefined || variant.desc === null ? null : <p className="notes">{variant.desc}</p>}
      {variant === undefined || variant.shape.kind === "constant" ? null : (
        <div className="variant">
          <InnerLabel id={inner.id} text={label} isGroup={isGroup(variant.shape, own ?? emptyEntry(variant.shape))} />
          <Control
            key={chosen}
            shape={variant.shape}
            entry={own ?? emptyEntry(variant.shape)}
            change={changeChosen}
            place={place}
            label={label}
            isRequired={isRequired}
            placeholder={null}
            attributes={inner}
            field={null}
          />
        </div>
      )}
    </div>
  );
}

/** A list of kinds fits beside a single control. */
const isInLine = ({ look, variants }: VariantsShape) =>
  look === "dropdown" && variants.every(({ shape }) => !GROUPS.includes(shape.kind));

const GROUPS: readonly Shape["kind"][] = ["object", "list", "variants", "file", "connection"];

/** The field has the label that everybody sees; this one is for the control in it. */
function InnerLabel({ id, text, isGroup }: { readonly id: string; readonly text: string; readonly isGroup: boolean }) {
  return isGroup ? (
    <div id={`${id}-label`} className="visually-hidden">
      {text}
    </div>
  ) : (
    <label id={`${id}-label`} htmlFor={id} className="visually-hidden">
      {text}
    </label>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly label: string;
  readonly names: readonly string[];
  readonly chosen: number | null;
  readonly isRequired: boolean;
  readonly onChoose: (position: number | null) => void;
}

function Radios({ id, label, names, chosen, isRequired, onChoose }: ChoiceProps) {
  const { forms } = useTexts();
  const all = [...names.map((name, position) => ({ name, position })), ...(isRequired ? [] : [NONE(forms.noAnswer)])];
  return (
    <div id={id} role="radiogroup" aria-label={label} className="options in-line">
      {all.map(({ name, position }) => (
        <label key={String(position)} className="option">
          <input type="radio" name={id} checked={chosen === position} onChange={() => onChoose(position)} />
          <span>{name}</span>
        </label>
      ))}
    </div>
  );
}

const NONE = (name: string) => ({ name, position: null });

function Dropdown({ id, label, names, chosen, isRequired, onChoose }: ChoiceProps) {
  const { forms } = useTexts();
  return (
    <select
      id={id}
      aria-label={label}
      required={isRequired}
      value={chosen === null ? "" : String(chosen)}
      onChange={({ target }) => onChoose(target.value === "" ? null : Number(target.value))}
    >
      {isRequired && chosen !== null ? null : <option value="">{isRequired ? forms.choose : forms.noAnswer}</option>}
      {names.map((name, position) => (
        <option key={String(position)} value={String(position)}>
          {name}
        </option>
      ))}
    </select>
  );
}
