/** Texts and numbers. A text grows with what is written; a number is written as in the language of the page. */
import type { KeyboardEvent } from "react";
import { HiddenNote } from "../elements/values/hidden-note.tsx";
import { type ControlProps, setText, textOf } from "./control-props.ts";

const TYPES = { url: "url", email: "email", secret: "password", line: "text" } as const;
const MODES = { url: "url", email: "email", secret: undefined, line: undefined } as const;

export function TextControl({
  shape,
  entry,
  change,
  attributes,
  placeholder,
  isRequired,
}: ControlProps<"text" | "number">) {
  const text = textOf(entry);
  // An empty field has the direction of the page.
  const dir = text === "" ? undefined : "auto";
  const general = {
    ...attributes,
    required: isRequired,
    placeholder: placeholder ?? undefined,
    value: text,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => setText(change, target.value),
  };
  if (shape.kind === "number") {
    return (
      <input {...general} type="text" inputMode={shape.isWhole ? "numeric" : "decimal"} autoComplete="off" dir="ltr" />
    );
  }
  if (shape.look === "lines" || shape.look === "grows")
    return (
      <>
        {shape.look === "lines" ? (
          <textarea {...general} rows={4} dir={dir} />
        ) : (
          <textarea {...general} rows={1} className="one-line" dir={dir} onKeyDown={sendOnEnter} />
        )}
        <HiddenNote text={text} />
      </>
    );
  const listId = shape.suggestions.length > 0 ? `${attributes.id}-list` : undefined;
  return (
    <>
      <input
        {...general}
        type={TYPES[shape.look]}
        inputMode={MODES[shape.look]}
        list={listId}
        dir={shape.look === "line" ? dir : "ltr"}
        autoComplete={shape.look === "secret" ? "new-password" : "off"}
      />
      {shape.look === "secret" ? null : <HiddenNote text={text} />}
      {listId === undefined ? null : (
        <datalist id={listId}>
          {shape.suggestions.map(({ value, label }) => (
            <option key={String(value)} value={String(value)} label={label} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** As in a field of one line: Enter sends the form, and Shift with Enter begins a line. */
function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
