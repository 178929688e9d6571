/** Retries a run, and says before what will run again. */
import { useMemo, useState } from "react";
import { omitUndefined } from "../../../../../src/json.ts";
import { canvasGraphOf } from "../../canvas/canvas-graph.ts";
import { ConfirmDialog } from "../../elements/dialogs/confirm-dialog.tsx";
import { client, isServerError } from "../../server/client.ts";
import { queryClient } from "../../server/query-client.ts";
import { useTexts } from "../../texts/language.ts";
import { runKey } from "../live/use-run.ts";
import { useShownRun } from "../run-context.ts";
import { retriedSteps } from "./retried-steps.ts";
import { FromStep, givenVersion, SAME, VersionChoice } from "./run-choices.tsx";

interface RetryDialogProps {
  /** Step that is chosen at first. @default where the run stopped */
  readonly fromStep?: string;
  readonly onClose: () => void;
}

export function RetryDialog({ fromStep, onClose }: RetryDialogProps) {
  const { run: texts } = useTexts();
  const { appId, live, definition } = useShownRun();
  const { run } = live;
  const [version, setVersion] = useState(SAME);
  const [from, setFrom] = useState<string | null>(fromStep ?? null);
  const graph = useMemo(() => (definition.steps === null ? null : canvasGraphOf(definition.steps)), [definition.steps]);
  const { again, kept } = retriedSteps(run.steps, graph, from);
  const retry = async () => {
    const given = omitUndefined({ version: givenVersion(version), from_step: from ?? undefined });
    const retried = await client.runs.retry(appId, run.id, given).catch(async (error: unknown) => {
      if (!isServerError(error) || error.code !== "conflict") throw error;
      // Browsers repeat a request whose response was lost, and somebody else may have been faster.
      const now = await client.runs.get(appId, run.id);
      if (now.status === "failed" || now.status === "canceled") throw error;
      return now;
    });
    queryClient.setQueryData(runKey(appId, run.id), retried);
  };
  return (
    <ConfirmDialog
      title={texts.retryTitle}
      action={texts.retryAction}
      isDangerous={false}
      onConfirm={retry}
      onClose={onClose}
      done={texts.retryStarted}
    >
      {from === null ? <p>{texts.retryText}</p> : null}
      <VersionChoice value={version} onChange={setVersion} />
      <FromStep value={from} otherwise={texts.fromFailed} onChange={setFrom} />
      <StepNames title={texts.runsAgain} keys={again} />
      <StepNames title={texts.isKept} keys={kept} />
    </ConfirmDialog>
  );
}

const MAX_NAMES = 20;

function StepNames({ title, keys }: { readonly title: string; readonly keys: readonly string[] }) {
  const { run: texts, general } = useTexts();
  return (
    <section className="step-names">
      <h3>
        {title} ({keys.length})
      </h3>
      <p>
        {keys.length === 0 ? general.none : null}
        {keys.slice(0, MAX_NAMES).map((key) => (
          <code key={key}>{key}</code>
        ))}
        {keys.length > MAX_NAMES ? texts.andOthers(keys.length - MAX_NAMES) : null}
      </p>
    </section>
  );
}
