/** The editor of an expression or a template: completion, mistakes, and what it gives for the chosen run. */
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { Place } from "../../../../src/engine/expressions/expression-scope.ts";
import { CodeEditor, type EditorHandle } from "../code-editor/code-editor.tsx";
import type { EditorProblem } from "../code-editor/completion.ts";
import type { EditorLanguage } from "../code-editor/editor-language.ts";
import { useTexts } from "../texts/language.ts";
import { createComplete } from "./complete.ts";
import type { Outcome, Syntax } from "./expressions.ts";
import { shortText } from "./known-value.ts";
import { useExpressions, useScope, useSurroundings, useVariables } from "./surroundings-context.ts";
import { ValuePicker } from "./value-picker.tsx";
import "./expressions.css";

export interface ExpressionEditorProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly syntax: Syntax;
  /** Where the expression stands. @default "anywhere" */
  readonly place?: Place;
  /** @default true */
  readonly isSingleLine?: boolean;
  readonly placeholder?: string | undefined;
  /** What the server says is wrong. */
  readonly error?: string | null;
  /** Whether a model can fill in the field. @default false */
  readonly hasAuto?: boolean;
  /** Shown in place of the result, such as which branch is taken. */
  readonly resultOf?: (outcome: Outcome) => ReactNode;
}

const NONE: readonly EditorProblem[] = [];

export function ExpressionEditor(props: ExpressionEditorProps) {
  const { syntax, place = "anywhere", isSingleLine = true, hasAuto = false, error = null } = props;
  const { expressions: texts } = useTexts();
  const variables = useVariables(place);
  const expressions = useExpressions();
  const handle = useRef<EditorHandle>(null);
  // As it was at first: another language would be another editor, which loses the cursor.
  const [language] = useState<EditorLanguage>(() =>
    syntax === "expression" || (syntax === "either" && !props.value.includes("{{")) ? "expression" : "template",
  );
  const problems = useMemo(
    () => expressions?.problemsOf(props.value, syntax, place) ?? NONE,
    [expressions, props.value, syntax, place],
  );
  const complete = useMemo(
    () => createComplete({ syntax, variables, descriptions: texts.variables, hasAuto }),
    [syntax, variables, texts, hasAuto],
  );
  const marks = useMemo(
    () => (problems.length > 0 || error === null ? problems : [{ message: error }]),
    [problems, error],
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
          description={[props.description, marks[0]?.message].filter(Boolean).join(" ") || undefined}
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
      {problems.length > 0 ? (
        <p className="field-error">{problems[0]?.message}</p>
      ) : (
        <Result
          value={props.value}
          syntax={syntax}
          place={place}
          {...(props.resultOf && { resultOf: props.resultOf })}
        />
      )}
    </div>
  );
}

/** A picked value as it is inserted: in a template, it needs braces of its own. */
function textOf(path: string, syntax: Syntax, value: string): string {
  const isTemplate = syntax === "template" || (syntax === "either" && value.includes("{{"));
  return isTemplate ? `{{ ${path} }}` : path;
}

interface ResultProps {
  readonly value: string;
  readonly syntax: Syntax;
  readonly place: Place;
  readonly resultOf?: (outcome: Outcome) => ReactNode;
}

/** Nothing is said before there is a run. What is missing in the run is no mistake. */
function Result({ value, syntax, place, resultOf }: ResultProps) {
  const { expressions: texts } = useTexts();
  const { run } = useSurroundings();
  const outcome = useOutcome(value, syntax, place);
  if (outcome === null || run === null) return null;
  if (resultOf !== undefined) return <p className="expression-result">{resultOf(outcome)}</p>;
  return (
    <p className="expression-result" title={texts.inRun(run.id)}>
      {"value" in outcome ? (
        <>
          <span aria-hidden="true">= </span>
          <span className="visually-hidden">{texts.result}: </span>
          <samp>
            {typeof outcome.value === "string" && syntax !== "expression"
              ? outcome.value.slice(0, 200)
              : shortText(outcome.value)}
          </samp>
        </>
      ) : (
        <span>{texts.noValue(outcome.reason)}</span>
      )}
    </p>
  );
}

/** What the text gives for the chosen run; null as long as there is nothing to evaluate. */
export function useOutcome(value: string, syntax: Syntax, place: Place): Outcome | null {
  const expressions = useExpressions();
  const scope = useScope();
  const isPrepared = usePrepared(value);
  return useMemo(() => {
    if (expressions === null || scope === null || !isPrepared || value.trim() === "") return null;
    if (syntax === "template" && !value.includes("{{")) return null;
    // Nothing has failed in this run.
    if (place === "on_error" && scope.error === undefined) return null;
    if (expressions.problemsOf(value, syntax, place).length > 0) return null;
    return expressions.outcomeOf(value, syntax, place, scope);
  }, [expressions, scope, isPrepared, value, syntax, place]);
}

/** Whether what the text needs of the language is loaded. */
function usePrepared(value: string): boolean {
  const expressions = useExpressions();
  const needsPatterns = value.includes("matches");
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    if (expressions === null || !needsPatterns) return;
    let isCurrent = true;
    void expressions.prepare(value).then(() => {
      if (isCurrent) setReady(true);
    });
    return () => {
      isCurrent = false;
    };
  }, [expressions, needsPatterns, value]);
  return !needsPatterns || isReady;
}
