/** A field of a form: its label, what helps to fill it in, its control, and what is wrong. */

import { memo, useCallback, useState } from "react";
import { type Entry, emptyField, jsonText } from "../../../../src/forms/model/entry.ts";
import type { ModelField } from "../../../../src/forms/model/form-model.ts";
import { type FormProblem, readEntry } from "../../../../src/forms/model/read-entry.ts";
import { ownField } from "../../../../src/json.ts";
import { FieldNote } from "../elements/fields/field-note.tsx";
import { useTexts } from "../texts/language.ts";
import { ControlOf } from "./control-of.tsx";
import { type Change, isGroup } from "./control-props.ts";
import { controlId, useErrorAt, useForm } from "./form-context.ts";
import { Markdown } from "./markdown/markdown.tsx";
import { problemText } from "./use-form-state.ts";

interface FieldViewProps {
  readonly field: ModelField;
  readonly entry: Entry;
  /** Of the object that has the field. */
  readonly change: Change;
  readonly place: string;
}

export const FieldView = memo(function FieldView({ field, entry, change, place }: FieldViewProps) {
  const { forms } = useTexts();
  const { formId } = useForm();
  const refused = useErrorAt(place, entry);
  const unread = useUnread(field, entry);
  const error = refused ?? unread.message;
  const { key, shape, desc, link, label } = field;
  const changeField = useCallback<Change>(
    (update) =>
      change((whole) => {
        if (whole.kind !== "object") return whole;
        const before = ownField(whole.fields, key) ?? emptyField(field);
        return { ...whole, fields: { ...whole.fields, [key]: update(before) } };
      }),
    [change, key, field],
  );
  const layout = `form-field ${field.width}${field.isInline ? " inline" : ""}`;
  if (shape.kind === "content") {
    return (
      <div className={layout}>
        <Markdown text={shape.markdown} />
      </div>
    );
  }

  if (shape.kind === "constant" && entry.kind !== "raw") return null;

  const id = controlId(formId, place);
  const fallback = fallbackText(field, entry);
  const hasNotes = desc !== null || link !== null || fallback !== null;
  const describedBy = [error === null ? [] : [`${id}-error`], hasNotes ? [`${id}-notes`] : []].flat().join(" ");
  const attributes = {
    id,
    "aria-describedby": describedBy || undefined,
    "aria-invalid": error !== null,
    onBlur: unread.leave,
  };
  const isBox = shape.kind === "boolean" && entry.kind === "boolean" && !isGroup(shape, entry);
  const labelled = <Label field={field} id={id} isGroup={isGroup(shape, entry)} />;
  const control = (
    <ControlOf
      shape={shape}
      entry={entry}
      change={changeField}
      place={place}
      label={label}
      isRequired={!field.isOptional && field.preset === undefined}
      placeholder={field.placeholder}
      attributes={attributes}
      field={field}
    />
  );
  return (
    <div className={`${layout}${isBox ? " box" : ""}`} data-place={place}>
      {isBox ? (
        <div className="check">
          {control}
          {labelled}
        </div>
      ) : (
        labelled
      )}
      <div className="answer">
        {hasNotes ? (
          <div id={`${id}-notes`} className="notes">
            {desc === null ? null : (
              <p>
                <bdi>{desc}</bdi>
              </p>
            )}
            {fallback === null ? null : <p>{forms.ifEmpty(fallback)}</p>}
            {link === null ? null : (
              <a href={link} target="_blank" rel="noopener noreferrer nofollow">
                {forms.more}
              </a>
            )}
          </div>
        ) : null}
        {isBox ? null : control}
        <FieldNote id={`${id}-error`} problem={error} />
      </div>
    </div>
  );
});

/** A message that appears while something below it is pressed would move it away from the pointer: the click would be lost. */
function afterPress(act: () => void): void {
  if (document.querySelector(":active") === null) act();
  else addEventListener("pointerup", () => setTimeout(act), { once: true });
}

/** Controls into which what cannot be read can be typed. */
const TYPED: ReadonlySet<string> = new Set(["number", "json", "date", "time", "datetime"]);

/** What is wrong with a number, a date or JSON, once a person has left the field. */
function useUnread(
  { shape }: ModelField,
  entry: Entry,
): { readonly message: string | null; readonly leave: (() => void) | undefined } {
  const texts = useTexts();
  const { notation } = useForm();
  const [left, setLeft] = useState<Entry | null>(null);
  if (!TYPED.has(shape.kind)) return { message: null, leave: undefined };
  const leave = () => afterPress(() => setLeft(entry));
  if (left !== entry) return { message: null, leave };
  const problems: FormProblem[] = [];
  readEntry(shape, entry, [], { notation, problems });
  const [problem] = problems;
  return { message: problem === undefined ? null : problemText(texts, problem.code, notation), leave };
}

function Label({ field, id, isGroup }: { readonly field: ModelField; readonly id: string; readonly isGroup: boolean }) {
  const { general } = useTexts();
  const text = (
    <>
      <bdi>{field.label}</bdi>
      {field.isOptional ? <span className="optional"> ({general.optional})</span> : null}
    </>
  );
  return isGroup ? (
    <div id={`${id}-label`} className="label">
      {text}
    </div>
  ) : (
    <label id={`${id}-label`} htmlFor={id} className="label">
      {text}
    </label>
  );
}

/** The value that applies while the control is empty; null if there is none. */
function fallbackText({ preset, shape }: ModelField, entry: Entry): string | null {
  const isEmptyList = Array.isArray(preset) && preset.length === 0;
  if (preset === undefined || isEmptyList || shape.kind === "object") return null;
  const isEmpty =
    (entry.kind === "text" && entry.text === "") ||
    (entry.kind === "choice" && entry.value === null) ||
    (entry.kind === "list" && entry.rows.length === 0) ||
    (entry.kind === "files" && entry.files.length === 0);
  return isEmpty ? (typeof preset === "string" ? preset : jsonText(preset)) : null;
}
