/** True or false: a box, two answers of which one must be chosen, or three states where neither is an answer too. */
import { useTexts } from "../texts/language.ts";
import { type ControlProps, isGroup } from "./control-props.ts";

export function BooleanControl({ shape, entry, change, attributes }: ControlProps<"boolean">) {
  const { forms } = useTexts();
  const value = entry.kind === "boolean" ? entry.value : null;
  const set = (next: boolean | null) => change(() => ({ kind: "boolean", value: next }));
  if (!isGroup(shape, entry)) {
    return (
      <input {...attributes} type="checkbox" checked={value === true} onChange={({ target }) => set(target.checked)} />
    );
  }
  const states = [
    { state: true, label: forms.yes },
    { state: false, label: forms.no },
    ...(shape.hasThirdState ? [{ state: null, label: forms.noAnswer }] : []),
  ];
  const { "aria-invalid": _, ...described } = attributes;
  return (
    <div
      {...described}
      role="radiogroup"
      aria-labelledby={`${attributes.id}-label`}
      aria-required={shape.isAsked}
      className="options in-line"
    >
      {states.map(({ state, label }) => (
        <label key={label} className="option">
          <input type="radio" name={attributes.id} checked={value === state} onChange={() => set(state)} />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}
