/** What came of a step in a run: status, output, error and logs. */
import { useMutation } from "@tanstack/react-query";
import { type JsonValue, omitUndefined } from "../../../../../src/json.ts";
import type { StepDetails } from "../../../../../src/runs/inspection/step-details.ts";
import type { Run } from "../../../../../src/runs/run.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Icon } from "../../elements/icons.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { StatusSign } from "../../elements/values/status-sign.tsx";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { isSameJson } from "../../merging/same-json.ts";
import { Link } from "../../routing/link.tsx";
import { pathOfStep } from "../../run/inspector/path-of-step.ts";
import { outputOf } from "../../run/step-details.ts";
import { StepValue } from "../../run/values/step-value.tsx";
import { waitsForPerson } from "../../run/waterfall/bars.ts";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";

interface StepResultProps {
  readonly step: Pick<
    StepDetails,
    "key" | "type" | "status" | "output" | "output_preview" | "output_bytes" | "error" | "logs"
  >;
  readonly run: Pick<Run, "id" | "app_id" | "error">;
  readonly onPin: ((output: JsonValue | undefined) => void) | undefined;
}

export function StepResult({ step, run, onPin }: StepResultProps) {
  const { steps: texts } = useTexts();
  const isWhole = step.output_bytes === undefined;
  const wholeOutput = async () =>
    isWhole ? step.output : (await client.runs.getStep(run.app_id, run.id, step.key)).output;
  const pin = useMutation({ mutationFn: wholeOutput, onSuccess: (output) => onPin?.(output) });
  // Of a long output, only the one that was pinned here is known whole.
  const output = isWhole ? step.output : pin.data;
  const { steps, pinned = {} } = useSurroundings().definition;
  const isPinned = output !== undefined && Object.hasOwn(pinned, step.key) && isSameJson(pinned[step.key], output);
  // A step that a run canceled has no reason of its own.
  const error = step.error ?? (step.status === "succeeded" ? null : run.error);
  return (
    <div className="step-result">
      <p className="row-head">
        <StatusSign
          status={step.status}
          isForPerson={waitsForPerson(
            step,
            steps.find(({ key }) => key === step.key),
          )}
        />
        <Link to={`/apps/${run.app_id}/runs/${run.id}?step=${encodeURIComponent(step.key)}`}>{run.id}</Link>
      </p>
      {error === null ? null : (
        <p className="field-error">
          <Icon name="error" />
          <span>
            <code>{error.code}</code> {error.message}
          </span>
        </p>
      )}
      {step.status === "succeeded" ? (
        <>
          <h3>{texts.output}</h3>
          <StepValue
            appId={run.app_id}
            key={`${run.id} ${step.key}`}
            {...outputOf(step)}
            path={pathOfStep(step.key, null)}
            name={step.key}
            onLoad={async (preview) =>
              outputOf(await client.runs.getStep(run.app_id, run.id, step.key, omitUndefined({ preview })))
            }
          />
          {onPin === undefined || isPinned ? null : (
            <div className="field-actions">
              <Button icon="tag" isBusy={pin.isPending} onClick={() => pin.mutate()}>
                {texts.pin}
              </Button>
            </div>
          )}
          {pin.isError ? <ProblemNote error={pin.error} /> : null}
        </>
      ) : null}
      {step.logs === undefined || step.logs.length === 0 ? null : (
        <>
          <h3>{texts.logs}</h3>
          <pre className="logs">{step.logs.join("\n")}</pre>
        </>
      )}
    </div>
  );
}
