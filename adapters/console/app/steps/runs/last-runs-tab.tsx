/** The step in the last runs of its workflow. */
import { useState } from "react";
import type { RunSummary } from "../../../../../src/runs/run.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import { EmptyState } from "../../elements/lists/empty-state.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { StatusSign } from "../../elements/values/status-sign.tsx";
import { Time } from "../../elements/values/time.tsx";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { isServerError } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { useLastRuns, useStepOfRun } from "../server-data.ts";
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
            {openId === run.id ? <OneRun run={run} step={step} /> : null}
          </details>
        </li>
      ))}
    </ul>
  );
}

function OneRun({ run, step }: { readonly run: RunSummary; readonly step: Step }) {
  const { steps: texts } = useTexts();
  const { data, error } = useStepOfRun(run.app_id, run.id, step.key);
  if (data !== undefined) return <StepResult step={data} run={run} onPin={undefined} />;
  if (error === null) return null;
  return isServerError(error) && error.code === "not_found" ? (
    <p className="hint">{texts.notInRun}</p>
  ) : (
    <ProblemNote error={error} />
  );
}
