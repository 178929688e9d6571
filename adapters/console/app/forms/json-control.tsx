/** A value as JSON. */

import { HiddenNote } from "../elements/values/hidden-note.tsx";
import { useTexts } from "../texts/language.ts";
import { type ControlProps, textOf } from "./control-props.ts";

export function JsonControl({ entry, change, attributes, placeholder }: ControlProps<"json">) {
  const { forms } = useTexts();
  return (
    <>
      <textarea
        {...attributes}
        className="code"
        dir="ltr"
        rows={4}
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholder ?? forms.jsonHint}
        value={textOf(entry)}
        onChange={({ target }) => {
          const text = target.value;
          change((before) => ({ kind: before.kind === "raw" ? "raw" : "text", text }));
        }}
      />
      <HiddenNote text={textOf(entry)} />
    </>
  );
}
