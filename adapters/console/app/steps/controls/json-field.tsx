/** Any JSON. What is not valid yet stays in the field, and the value stays as it was. */
import type { ReactNode } from "react";
import { type JsonEntryProblem, readJsonEntry } from "../../../../../src/forms/model/json-entry.ts";
import { type JsonValue, MAX_DEPTH } from "../../../../../src/json.ts";
import { CodeEditor } from "../../code-editor/code-editor.tsx";
import type { EditorProblem } from "../../code-editor/completion.ts";
import { jsonErrorAt, linePlace } from "../../code-editor/json-syntax.ts";
import { FieldNote, type FieldProblem, isError, messageOf } from "../../elements/fields/field-note.tsx";
import { LabelledField } from "../../expressions/labelled-field.tsx";
import { useLeaveGuard } from "../../routing/use-leave-guard.ts";
import { useTexts } from "../../texts/language.ts";
import type { Messages } from "../../texts/messages.ts";
import { type Merge, useJsonText } from "./use-json-text.ts";

interface JsonFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: FieldProblem | null;
  readonly value: JsonValue | undefined;
  /** Called with undefined for an empty text of an optional field. */
  readonly onChange: (value: JsonValue | undefined) => void;
  /** @default true */
  readonly isOptional?: boolean;
  /** What it must be. @default any JSON */
  readonly type?: "object" | "list";
  /** Whether the label stands elsewhere. @default false */
  readonly isBare?: boolean;
  /** For a value whose parts other controls change, too. @default what is typed replaces the value */
  readonly merge?: Merge;
}

interface Read {
  readonly value: JsonValue | undefined;
  readonly problem: EditorProblem | null;
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
  merge,
}: JsonFieldProps) {
  const { steps: texts, forms } = useTexts();
  const readValid = (given: string) => {
    const found = read(given);
    return found.problem === null ? found : null;
  };
  const { text, change, leave } = useJsonText({ value, onChange, read: readValid, merge });

  function read(given: string): Read {
    if (given.trim() === "") return { value: undefined, problem: isOptional ? null : { message: texts.noJson } };
    const found = readJsonEntry(given, MAX_LEVELS);
    if ("problem" in found) return { value: undefined, problem: problemIn(given, found.problem, forms) };
    return isOfType(found.value, type)
      ? { value: found.value, problem: null }
      : { value: undefined, problem: { message: texts.wrongType(type ?? "") } };
  }

  const { problem } = read(text);
  useLeaveGuard(() => problem !== null);
  const shown = problem?.message ?? error;
  const mark = problem ?? (error === null ? null : { message: messageOf(error), isWarning: !isError(error) });
  const editor = (
    <CodeEditor
      language="json"
      label={label}
      description={[typeof hint === "string" ? hint : undefined, mark?.message].filter(Boolean).join(" ") || undefined}
      value={text}
      problems={mark === null ? NONE : [mark]}
      onChange={change}
      onBlur={leave}
    />
  );
  if (isBare)
    return (
      <>
        {editor}
        <FieldNote problem={problem === null ? null : problem.message} />
      </>
    );
  return (
    <LabelledField label={label} hint={hint} error={shown} isOptional={isOptional}>
      {() => editor}
    </LabelledField>
  );
}

const NONE = [] as const;

/** The definition around the value has levels of its own, and the server counts all of them. */
const MAX_LEVELS = MAX_DEPTH - 20;

/** The problem with its place in the text. */
function problemIn(text: string, code: JsonEntryProblem, forms: Messages["forms"]): EditorProblem {
  if (code === "json") {
    const at = jsonErrorAt(text) ?? 0;
    const { line, column } = linePlace(text, at);
    return { message: forms.invalidJsonAt(line, column), from: Math.min(at, text.length - 1) };
  }
  return { message: code === "precise" ? forms.tooPrecise : forms.tooDeep(MAX_LEVELS) };
}

function isOfType(value: JsonValue, type: JsonFieldProps["type"]): boolean {
  if (type === undefined) return true;
  if (type === "list") return Array.isArray(value);
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
