/** What the step sees, and what it gave in the chosen run. */

import type { JsonValue } from "../../../../../src/json.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import { Button } from "../../elements/controls/button.tsx";
import { JsonView } from "../../elements/values/json-view.tsx";
import { useOwnPlace, useSurroundings, useVariables } from "../../expressions/surroundings-context.ts";
import { pathOfStep } from "../../run/inspector/path-of-step.ts";
import { useTexts } from "../../texts/language.ts";
import { useStepOfRun } from "../server-data.ts";
import { SeenValues } from "./seen-values.tsx";
import { StepResult } from "./step-result.tsx";
import { canTest, TestSection } from "./test-section.tsx";

interface DataTabProps {
  readonly step: Step;
  readonly workflowId: string;
  readonly onPin: ((output: JsonValue | undefined) => void) | undefined;
}

export function DataTab({ step, workflowId, onPin }: DataTabProps) {
  const { steps: texts } = useTexts();
  const { run, definition, app } = useSurroundings();
  const variables = useVariables(useOwnPlace());
  const isInRun = run?.steps.some(({ key }) => key === step.key) === true;
  const own = useStepOfRun(app.id, isInRun ? run.id : null, step.key).data;
  const { pinned: all = {} } = definition;
  const pinned = Object.hasOwn(all, step.key) ? all[step.key] : undefined;
  return (
    <div className="step-data">
      <section>
        <h3>{texts.sees}</h3>
        <p className="hint">{run === null ? texts.seesNoRun : texts.seesRun(run.id)}</p>
        <SeenValues step={step} variables={variables} />
      </section>
      {pinned === undefined ? null : (
        <section>
          <h3>{texts.pinned}</h3>
          <p className="hint">{texts.pinnedHint}</p>
          <JsonView value={pinned} path={pathOfStep(step.key, null)} />
          {onPin === undefined ? null : (
            <div className="field-actions">
              <Button icon="close" onClick={() => onPin(undefined)}>
                {texts.unpin}
              </Button>
            </div>
          )}
        </section>
      )}
      {run === null || own === undefined ? null : (
        <section>
          <h3>{texts.inRun}</h3>
          <StepResult step={own} run={run} onPin={canTest(step) && step.type !== "branch" ? onPin : undefined} />
        </section>
      )}
      {canTest(step) ? (
        <TestSection step={step} workflowId={workflowId} onPin={step.type === "branch" ? undefined : onPin} />
      ) : null}
    </div>
  );
}
