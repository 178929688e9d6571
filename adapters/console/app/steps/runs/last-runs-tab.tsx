/** The step in the last runs of its workflow. */
import { useState } from "react";
import type { Step } from "../../../../../src/workflows/step.ts";
import { EmptyState } from "../../elements/lists/empty-state.tsx";
import { StatusSign } from "../../elements/values/status-sign.tsx";
import { Time } from "../../elements/values/time.tsx";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { useTexts } from "../../texts/language.ts";
import { useLastRuns, useRun } from "../server-data.ts";
import { StepResult } from "./step-result.tsx";

interface LastRunsTabProps {
  readonly step: Step;
  readonly workflowId: string;
}

export function LastRunsTab({ step, workflowId }: LastRunsTabProps) {
  const { steps: texts } = useTexts();
  const { app } = useSurroundings();
  const runs = useLastRuns(app.id, workflowId);
  const [openId, setOpen] = useState<string | null>(null);
  if (runs.length === 0) return <EmptyState title={texts.noRuns} />;
  return (
    <ul className="last-runs">
      {runs.map((run) => (
        <li key={run.id}>
          <details
            open={openId === run.id}
            onToggle={({ currentTarget }) => {
              if (currentTarget.open) setOpen(run.id);
              else if (openId === run.id) setOpen(null);
            }}
          >
            <summary>
              <StatusSign status={run.status} /> <Time at={run.created_at} />{" "}
              <span className="hint">
                {run.version === 0 ? texts.draftVersion : texts.versionNumber(String(run.version))}
              </span>
            </summary>
            {openId === run.id ? <OneRun runId={run.id} step={step} /> : null}
          </details>
        </li>
      ))}
    </ul>
  );
}

function OneRun({ runId, step }: { readonly runId: string; readonly step: Step }) {
  const { steps: texts } = useTexts();
  const run = useRun(useSurroundings().app.id, runId);
  const own = run?.steps.find(({ key }) => key === step.key);
  if (run === null) return null;
  return own === undefined ? (
    <p className="hint">{texts.notInRun}</p>
  ) : (
    <StepResult step={own} run={run} onPin={undefined} />
  );
}
