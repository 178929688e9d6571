/** The output of a step, or of one of its items; the text of a model while it writes. */
import { useEffect, useState } from "react";
import { omitUndefined } from "../../../../../src/json.ts";
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { TextPages } from "../../elements/values/text-pages.tsx";
import { visibleText } from "../../elements/values/visible-text.ts";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { useComparedOutput } from "../compare/compared-output.tsx";
import type { SeenStore } from "../live/attempts-seen.ts";
import { useShownRun } from "../run-context.ts";
import { outputOf, useStepDetails } from "../step-details.ts";
import { StepValue } from "../values/step-value.tsx";
import { Conditions } from "./conditions.tsx";
import { pathOfStep } from "./path-of-step.ts";

export function OutputTab({ step }: { readonly step: RunStep }) {
  const { run: texts } = useTexts();
  const { appId, live, at } = useShownRun();
  const details = useStepDetails(step, at);
  const compared = useComparedOutput(step);
  const { run } = live;
  if (step.finished_at === null && at === null)
    return <OpenOutput store={live.seen} step={step} empty={texts.noOutput} />;
  if (details.isLoading) return <Loading />;
  if (details.data === undefined) return <ProblemNote error={details.error} onRetry={() => void details.refetch()} />;
  const read = outputOf(details.data);
  const isEmpty = read.value === null && read.preview === undefined;
  return (
    <>
      <Conditions conditions={details.data.conditions ?? []} />
      {isEmpty ? (
        <p className="hint">{texts.emptyOutput}</p>
      ) : (
        <StepValue
          appId={appId}
          key={`${step.key} ${at} ${step.started_at} ${step.attempts}`}
          {...read}
          path={pathOfStep(step.key, at)}
          name={at === null ? step.key : `${step.key}-${at}`}
          onLoad={async (preview) =>
            outputOf(
              await client.runs.getStep(appId, run.id, step.key, omitUndefined({ item: at ?? undefined, preview })),
            )
          }
        />
      )}
      {compared}
    </>
  );
}

const INTERVAL_MS = 100;

/** The text of a model, renewed at most ten times a second. It is not read out while it grows. */
function OpenOutput({ store, step, empty }: { store: SeenStore; step: RunStep; empty: string }) {
  const { run: texts } = useTexts();
  const text = useTextSlowly(store, step.key);
  if (text === "") return <p className="hint">{empty}</p>;
  return (
    <>
      <p className="hint">{texts.writing}</p>
      <pre className="long-text" dir="auto" tabIndex={0}>
        <TextPages text={visibleText(text)} />
      </pre>
    </>
  );
}

function useTextSlowly(store: SeenStore, key: string): string {
  const [text, setText] = useState(() => store.get().texts.get(key) ?? "");
  useEffect(() => {
    const timer = setInterval(() => setText(store.get().texts.get(key) ?? ""), INTERVAL_MS);
    return () => clearInterval(timer);
  }, [store, key]);
  return text;
}
