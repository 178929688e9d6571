/** What the step sees, and what it gave in the chosen run. */

import type { Place } from "../../../../../src/engine/expressions/expression-scope.ts";
import type { JsonValue } from "../../../../../src/json.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import { Button } from "../../elements/controls/button.tsx";
import { JsonView } from "../../elements/values/json-view.tsx";
import { useSurroundings, useVariables } from "../../expressions/surroundings-context.ts";
import { ValueTree } from "../../expressions/value-tree.tsx";
import { useTexts } from "../../texts/language.ts";
import { isExecuted } from "../sections/when-section.tsx";
import { StepResult } from "./step-result.tsx";
import { canTest, TestSection } from "./test-section.tsx";

interface DataTabProps {
  readonly step: Step;
  readonly workflowId: string;
  readonly onPin: ((output: JsonValue | undefined) => void) | undefined;
}

export function DataTab({ step, workflowId, onPin }: DataTabProps) {
  const { steps: texts } = useTexts();
  const { run, definition } = useSurroundings();
  const variables = useVariables(placeOf(step));
  const own = run?.steps.find(({ key }) => key === step.key);
  const pinned = definition.pinned?.[step.key];
  return (
    <div className="step-data">
      <section>
        <h3>{texts.sees}</h3>
        <p className="hint">{run === null ? texts.seesNoRun : texts.seesRun(run.id)}</p>
        <ValueTree fields={variables} />
      </section>
      {pinned === undefined ? null : (
        <section>
          <h3>{texts.pinned}</h3>
          <p className="hint">{texts.pinnedHint}</p>
          <JsonView value={pinned} path={`steps.${step.key}.output`} />
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
        <section>
          <h3>{texts.test}</h3>
          <TestSection step={step} workflowId={workflowId} onPin={step.type === "branch" ? undefined : onPin} />
        </section>
      ) : null}
    </div>
  );
}

function placeOf(step: Step): Place {
  if (isExecuted(step) && step.for_each !== undefined) return "for_each";
  return step.loop === undefined ? "anywhere" : "loop";
}
