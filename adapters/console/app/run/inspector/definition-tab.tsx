/** What the step does: its definition in the version that the run executes, with the line that failed. */
import { pointerNames } from "../../../../../src/encoding/json-pointer.ts";
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import { ShownSettings } from "../../steps/shown-settings.tsx";
import { useTexts } from "../../texts/language.ts";
import { useShownRun } from "../run-context.ts";
import { failedLine, useShownError } from "./shown-error.ts";

export function DefinitionTab({ step, definition }: { readonly step: RunStep; readonly definition: Step }) {
  const { run: texts } = useTexts();
  const { live } = useShownRun();
  const { error } = useShownError(step);
  return (
    <div className="definition-tab">
      {live.run.version === 0 ? <p className="hint">{texts.draftNow}</p> : null}
      <ShownSettings
        step={definition}
        failed={error?.field === undefined ? null : pointerNames(error.field)[0]}
        line={error === null ? null : failedLine(error)}
      />
    </div>
  );
}
