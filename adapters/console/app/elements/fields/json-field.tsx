/** A field for JSON, as text. What does not parse is said at once and kept. */
import { type ReactNode, useState } from "react";
import type { JsonValue } from "../../../../../src/json.ts";
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
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  const change = (next: string) => {
    setText(next);
    try {
      onChange(JSON.parse(next));
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
