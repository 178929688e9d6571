/** Asks the server what the expressions of an open step give for the chosen run: all of them in one call. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState, useSyncExternalStore } from "react";
import { omitUndefined } from "../../../../src/json.ts";
import type { ExpressionResult, ExpressionToEvaluate } from "../../../../src/runs/inspection/evaluation.ts";
import { useSettled } from "../elements/use-settled.ts";
import { client } from "../server/client.ts";
import type { Surroundings } from "./variables.ts";
import { boundedTexts, createWantedExpressions, wantedText } from "./wanted-expressions.ts";

export interface Evaluations {
  /** @returns Call it when the result is no longer shown. */
  add(wanted: string): () => void;
  /** Of the expressions that were evaluated last. */
  readonly results: ReadonlyMap<string, ExpressionResult>;
}

/** Nobody reads results while typing. */
const PATIENCE_MS = 250;
/** Of a longer value, completion does not offer fields. */
const MAX_VALUE_CHARS = 4_096;
const NO_RESULTS: ReadonlyMap<string, ExpressionResult> = new Map();

/** The item of a step that goes over a list. */
export const ITEM = wantedText("item", "expression", "for_each") ?? "";

export function useEvaluations({ app, run, definition, stepKey }: Surroundings): Evaluations {
  const [wanted] = useState(createWantedExpressions);
  const texts = useSyncExternalStore(wanted.subscribe, wanted.list);
  const step = definition.steps.find(({ key }) => key === stepKey);
  const items = step !== undefined && "for_each" in step ? step.for_each?.items : undefined;
  const asked = useSettled(
    useMemo(() => ({ texts: items === undefined ? texts : boundedTexts([ITEM, ...texts]), items }), [texts, items]),
    PATIENCE_MS,
  );
  // Of a step that the run does not have, the steps before it are not known, and all can be read.
  const before = run?.steps.some(({ key }) => key === stepKey) === true ? stepKey : undefined;
  const { data = NO_RESULTS } = useQuery({
    queryKey: [app.id, "runs", run?.id, "evaluate", before, asked],
    queryFn: ({ signal }) => evaluate(app.id, run?.id ?? "", { ...asked, before }, signal),
    enabled: run !== null && asked.texts.length > 0,
    // The last results stay until the next ones come.
    placeholderData: (last, query) => (query?.queryKey[2] === run?.id ? last : undefined),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return useMemo(() => ({ add: wanted.add, results: data }), [wanted, data]);
}

interface Asked {
  readonly texts: readonly string[];
  readonly items: string | undefined;
  readonly before: string | undefined;
}

async function evaluate(appId: string, runId: string, { texts, items, before }: Asked, signal: AbortSignal) {
  const { results = [] } = await client.with({ signal }).runs.evaluate(appId, runId, {
    expressions: texts.map((text): ExpressionToEvaluate => JSON.parse(text)),
    max_value_chars: MAX_VALUE_CHARS,
    ...omitUndefined({ before_step: before, items: items === "" ? undefined : items }),
  });
  return new Map(texts.flatMap((text, index) => results.slice(index, index + 1).map((result) => [text, result])));
}
