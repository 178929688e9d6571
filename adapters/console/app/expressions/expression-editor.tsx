/** The editor of an expression or a template: completion, mistakes, and what it gives for the chosen run. */
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { CodeEditor, type EditorHandle } from "../code-editor/code-editor.tsx";
import type { EditorProblem } from "../code-editor/completion.ts";
import type { EditorLanguage } from "../code-editor/editor-language.ts";
import { FieldNote, type FieldProblem } from "../elements/fields/field-note.tsx";
import { useTexts } from "../texts/language.ts";
import { createComplete } from "./complete.ts";
import { ResultLine, type ShownResult, useResult } from "./expression-result.tsx";
import { MissingBraces, useMissingBraces } from "./missing-braces.tsx";
import { useLocated, useOwnPlace, useVariables } from "./surroundings-context.ts";
import { ValuePicker } from "./value-picker.tsx";
import type { EvaluatedPlace, Syntax } from "./wanted-expressions.ts";
import "./expressions.css";

export interface ExpressionEditorProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly syntax: Syntax;
  /** Where the expression stands. @default the place of most fields of the step */
  readonly place?: EvaluatedPlace;
  /** Where typing goes on that began in another control, which this one replaces. It is emptied. */
  readonly caret?: RefObject<number | null> | undefined;
  /** @default true */
  readonly isSingleLine?: boolean;
  readonly placeholder?: string | undefined;
  /** What the server says is wrong. The owner shows it. */
  readonly error?: FieldProblem | null;
  /** Whether a model can fill in the field. @default false */
  readonly hasAuto?: boolean;
}

const NONE: readonly EditorProblem[] = [];

export function ExpressionEditor(props: ExpressionEditorProps) {
  const own = useOwnPlace();
  const { syntax, place = own, isSingleLine = true, hasAuto = false, error = null } = props;
  const { expressions: texts } = useTexts();
  const variables = useVariables(place);
  const handle = useRef<EditorHandle>(null);
  // As it was at first: another language would be another editor, which loses the cursor.
  const [language] = useState<EditorLanguage>(() =>
    syntax === "expression" || (syntax === "either" && !props.value.includes("{{")) ? "expression" : "template",
  );
  useTakenCaret(handle, props.caret);
  const shown = useResult(props.value, syntax, place);
  const mistake = useMistake(shown, error);
  const found = useMissingBraces(props.value, place);
  const braces = syntax === "template" ? found : null;
  const marks = useMemo(() => (mistake === null ? NONE : [mistake]), [mistake]);
  const complete = useMemo(
    () => createComplete({ syntax, variables, descriptions: texts.variables, hasAuto }),
    [syntax, variables, texts, hasAuto],
  );
  return (
    <div className="expression-editor">
      <div className="expression-line">
        <CodeEditor
          ref={handle}
          language={language}
          value={props.value}
          onChange={props.onChange}
          label={props.label}
          description={
            [props.description, mistake?.message, braces === null ? undefined : texts.noBraces]
              .filter(Boolean)
              .join(" ") || undefined
          }
          isSingleLine={isSingleLine}
          placeholder={props.placeholder}
          problems={marks}
          complete={complete}
        />
        <ValuePicker
          variables={variables}
          onPick={(path) => handle.current?.insert(textOf(path, syntax, props.value))}
        />
      </div>
      {braces === null ? null : <MissingBraces text={braces} onWrite={(text) => handle.current?.write(text)} />}
      {/* What the server has found is shown by the owner, and says the same in other words. */}
      <FieldNote problem={mistake === null || error !== null ? null : mistake.message} />
      {shown === null || (mistake !== null && mistake.isWarning !== true) ? null : (
        <ResultLine result={shown.result} syntax={syntax} />
      )}
    </div>
  );
}

/** At once: the next letter comes before anything else can take the focus. */
function useTakenCaret(editor: RefObject<EditorHandle | null>, caret: RefObject<number | null> | undefined): void {
  useLayoutEffect(() => {
    const at = caret?.current ?? null;
    if (caret === undefined || at === null) return;
    caret.current = null;
    editor.current?.focus();
    editor.current?.select(at, at);
  }, [editor, caret]);
}

/** What the evaluation of the text has found, or of an earlier text, the check of the whole draft. */
function useMistake(shown: ShownResult | null, error: FieldProblem | null): EditorProblem | null {
  const located = useLocated(error);
  const found = shown?.isCurrent === true ? shown.result.error : undefined;
  return useMemo(
    () => (found?.invalid === true ? { message: found.message, from: found.at, to: found.end } : located),
    [found, located?.message, located?.from, located?.to, located?.isWarning],
  );
}

/** A picked value as it is inserted: in a template, it needs braces of its own. */
function textOf(path: string, syntax: Syntax, value: string): string {
  const isTemplate = syntax === "template" || (syntax === "either" && value.includes("{{"));
  return isTemplate ? `{{ ${path} }}` : path;
}
