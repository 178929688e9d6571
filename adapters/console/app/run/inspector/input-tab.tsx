/** What a step got: its fields, with the values of their expressions. */
import { omitUndefined } from "../../../../../src/json.ts";
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { useShownRun } from "../run-context.ts";
import { inputOf, useStepDetails } from "../step-details.ts";
import { StepValue } from "../values/step-value.tsx";
import { CodeInput } from "./code-input.tsx";

export function InputTab({ step }: { readonly step: RunStep }) {
  const { run: texts } = useTexts();
  const { appId, live, definition, at } = useShownRun();
  const details = useStepDetails(step, at);
  if (details.isLoading) return <Loading />;
  if (details.data === undefined) return <ProblemNote error={details.error} onRetry={() => void details.refetch()} />;
  const { input_missing } = details.data;
  if (input_missing !== undefined) return <p className="hint">{texts.inputMissing[input_missing]}</p>;
  const own = definition.byKey.get(step.key);
  const name = `${step.key}-input`;
  return (
    <StepValue
      appId={appId}
      key={`${step.key} ${at} ${step.started_at} ${step.attempts}`}
      {...inputOf(details.data)}
      name={name}
      show={
        own?.type === "code"
          ? (whole) => <CodeInput appId={appId} definition={own} value={whole} name={name} />
          : undefined
      }
      onLoad={async (preview) =>
        inputOf(
          await client.runs.getStep(appId, live.run.id, step.key, omitUndefined({ item: at ?? undefined, preview })),
        )
      }
    />
  );
}
