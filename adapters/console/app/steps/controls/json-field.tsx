/** Any JSON. What is not valid yet stays in the field, and the value stays as it was. */
import { type ReactNode, useEffect, useState } from "react";
import type { JsonValue } from "../../../../../src/json.ts";
import { CodeEditor } from "../../code-editor/code-editor.tsx";
import { LabelledField } from "../../expressions/labelled-field.tsx";
import { useTexts } from "../../texts/language.ts";

interface JsonFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  readonly value: JsonValue | undefined;
  /** Called with undefined for an empty text of an optional field. */
  readonly onChange: (value: JsonValue | undefined) => void;
  /** @default true */
  readonly isOptional?: boolean;
  /** What it must be. @default any JSON */
  readonly type?: "object" | "list";
  /** Whether the label stands elsewhere. @default false */
  readonly isBare?: boolean;
}

interface Read {
  readonly value: JsonValue | undefined;
  readonly problem: string | null;
}

export function JsonField({
  label,
  hint,
  error = null,
  value,
  onChange,
  isOptional = true,
  type,
  isBare = false,
}: JsonFieldProps) {
  const { steps: texts } = useTexts();
  const [text, setText] = useState(() => textOf(value));
  useEffect(() => {
    setText((shown) => (isSame(read(shown).value, value) ? shown : textOf(value)));
  }, [value]);

  function read(given: string): Read {
    if (given.trim() === "") return { value: undefined, problem: isOptional ? null : texts.noJson };
    try {
      const parsed: JsonValue = JSON.parse(given);
      return isOfType(parsed, type)
        ? { value: parsed, problem: null }
        : { value: undefined, problem: texts.wrongType(type ?? "") };
    } catch (cause) {
      return { value: undefined, problem: cause instanceof Error ? cause.message : texts.noJson };
    }
  }

  const { problem } = read(text);
  const shown = problem ?? error;
  const editor = (
    <CodeEditor
      language="json"
      label={label}
      description={[typeof hint === "string" ? hint : undefined, shown].filter(Boolean).join(" ") || undefined}
      value={text}
      problems={shown === null ? NONE : [{ message: shown }]}
      onChange={(next) => {
        setText(next);
        const found = read(next);
        if (found.problem === null && !isSame(found.value, value)) onChange(found.value);
      }}
    />
  );
  if (isBare)
    return (
      <>
        {editor}
        {problem === null ? null : <p className="field-error">{problem}</p>}
      </>
    );
  return (
    <LabelledField label={label} hint={hint} error={shown} isOptional={isOptional}>
      {() => editor}
    </LabelledField>
  );
}

const NONE = [] as const;

const textOf = (value: JsonValue | undefined) => (value === undefined ? "" : JSON.stringify(value, null, 2));

const isSame = (one: JsonValue | undefined, other: JsonValue | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

function isOfType(value: JsonValue, type: JsonFieldProps["type"]): boolean {
  if (type === undefined) return true;
  if (type === "list") return Array.isArray(value);
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
