/** What an expression gives for the chosen run, below its editor. */
import { useEffect, useRef } from "react";
import type { ExpressionResult } from "../../../../src/runs/inspection/evaluation.ts";
import { useTexts } from "../texts/language.ts";
import { shortText } from "./known-value.ts";
import { useKnownEvaluations, useSurroundings } from "./surroundings-context.ts";
import { type EvaluatedPlace, type Syntax, wantedText } from "./wanted-expressions.ts";

export interface ShownResult {
  readonly result: ExpressionResult;
  /** Whether it is that of the text as it is now. Otherwise it is the last one. */
  readonly isCurrent: boolean;
}

/** What the text gives for the chosen run; null if there is nothing to evaluate, or as long as nothing is known. */
export function useResult(text: string, syntax: Syntax, place: EvaluatedPlace): ShownResult | null {
  const { add, results } = useKnownEvaluations();
  const { run } = useSurroundings();
  const last = useRef<ExpressionResult | undefined>(undefined);
  const wanted = run === null ? null : wantedText(text, syntax, place);
  useEffect(() => (wanted === null ? undefined : add(wanted)), [wanted, add]);
  const result = wanted === null ? undefined : results.get(wanted);
  last.current = wanted === null ? undefined : (result ?? last.current);
  return last.current === undefined ? null : { result: last.current, isCurrent: result !== undefined };
}

/** What is missing in the run is no mistake. */
export function ResultLine({ result, syntax }: { readonly result: ExpressionResult; readonly syntax: Syntax }) {
  const { expressions: texts } = useTexts();
  const { run } = useSurroundings();
  if (run === null || result.error?.invalid === true) return null;
  if (result.error !== undefined) return <p className="expression-result">{texts.noValue(result.error.message)}</p>;
  if (result.filled_by_model === true) return <p className="expression-result">{texts.filledByModel}</p>;
  return (
    <p className="expression-result" title={texts.inRun(run.id)}>
      <span aria-hidden="true">= </span>
      <span className="visually-hidden">{texts.result}: </span>
      <samp>{shownValue(result, syntax)}</samp>
    </p>
  );
}

const MAX_SHOWN_CHARS = 200;

function shownValue({ value, preview }: ExpressionResult, syntax: Syntax): string {
  if (value === undefined) return `${(preview ?? "").slice(0, MAX_SHOWN_CHARS)}…`;
  return typeof value === "string" && syntax !== "expression" ? value.slice(0, MAX_SHOWN_CHARS) : shortText(value);
}
