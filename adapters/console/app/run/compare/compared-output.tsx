/** The output of the same step in the other run, if it differs. */
import type { ReactNode } from "react";
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import { StatusSign } from "../../elements/values/status-sign.tsx";
import { useTexts } from "../../texts/language.ts";
import { useShownRun } from "../run-context.ts";
import { ValueView } from "../values/value-view.tsx";

export function useComparedOutput(step: RunStep): ReactNode {
  const { run: texts } = useTexts();
  const { appId, comparison } = useShownRun();
  const other = comparison?.other?.steps.find(({ key }) => key === step.key);
  if (other === undefined || comparison?.differing.has(step.key) !== true) return null;
  return (
    <section className="compared-output">
      <h2 className="minor">{texts.otherOutput}</h2>
      <StatusSign status={other.status} />
      {other.output === null ? null : <ValueView appId={appId} value={other.output} name={`${step.key}-other`} />}
    </section>
  );
}
