/** A field for JSON, as text. What does not parse is said at once and kept. */
import { type ReactNode, useState } from "react";
import { readJsonEntry } from "../../../../../src/forms/model/json-entry.ts";
import { type JsonValue, MAX_DEPTH } from "../../../../../src/json.ts";
import { useTexts } from "../../texts/language.ts";
import { visibleJson } from "../values/visible-text.ts";
import { Field } from "./field.tsx";
import "./json-field.css";

interface JsonFieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What the server says about the value. */
  readonly error?: string | null;
  readonly isOptional?: boolean;
  readonly value: JsonValue;
  /** Called with each text that is JSON. */
  readonly onChange: (value: JsonValue) => void;
}

export function JsonField({ label, hint, error = null, isOptional = false, value, onChange }: JsonFieldProps) {
  const { forms } = useTexts();
  const [text, setText] = useState(() => visibleJson(JSON.stringify(value, null, 2)));
  const [problem, setProblem] = useState<string | null>(null);
  const change = (next: string) => {
    setText(next);
    try {
      const parsed: JsonValue = JSON.parse(next);
      const read = readJsonEntry(next);
      if ("problem" in read) return setProblem(read.problem === "deep" ? forms.tooDeep(MAX_DEPTH) : forms.tooPrecise);
      onChange(parsed);
      setProblem(null);
    } catch (cause) {
      setProblem(cause instanceof Error ? cause.message : String(cause));
    }
  };
  return (
    <Field label={label} hint={hint} error={problem ?? error} isOptional={isOptional}>
      {(attributes) => (
        <textarea
          {...attributes}
          className="json-field"
          dir="ltr"
          spellCheck={false}
          value={text}
          ref={(element) => element?.setCustomValidity(problem ?? "")}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </Field>
  );
}
