/** What came of a step in a run: status, output, error and logs. */
import type { JsonValue } from "../../../../../src/json.ts";
import type { Run } from "../../../../../src/runs/run.ts";
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import { Button } from "../../elements/controls/button.tsx";
import { JsonView } from "../../elements/values/json-view.tsx";
import { StatusSign } from "../../elements/values/status-sign.tsx";
import { Link } from "../../routing/link.tsx";
import { useTexts } from "../../texts/language.ts";

interface StepResultProps {
  readonly step: RunStep;
  readonly run: Run;
  readonly onPin: ((output: JsonValue | undefined) => void) | undefined;
}

export function StepResult({ step, run, onPin }: StepResultProps) {
  const { steps: texts } = useTexts();
  // A step that a run canceled has no reason of its own.
  const error = step.error ?? (step.status === "succeeded" ? null : run.error);
  return (
    <div className="step-result">
      <p className="row-head">
        <StatusSign status={step.status} />
        <Link to={`/apps/${run.app_id}/runs/${run.id}?step=${encodeURIComponent(step.key)}`}>{run.id}</Link>
      </p>
      {error === null ? null : (
        <p className="field-error">
          <code>{error.code}</code> {error.message}
        </p>
      )}
      {step.status === "succeeded" ? (
        <>
          <h3>{texts.output}</h3>
          <JsonView value={step.output} path={`steps.${step.key}.output`} />
          {onPin === undefined ? null : (
            <div className="field-actions">
              <Button icon="tag" onClick={() => onPin(step.output)}>
                {texts.pin}
              </Button>
            </div>
          )}
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
