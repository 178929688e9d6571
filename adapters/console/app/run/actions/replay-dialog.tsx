/** Starts a new run with the input of this one, changed or not. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type JsonObject, omitUndefined, sortedJson } from "../../../../../src/json.ts";
import { FormDialog } from "../../elements/dialogs/form-dialog.tsx";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { useFormPart } from "../../forms/parts/use-form-part.ts";
import { useNavigateFromHere } from "../../routing/location.ts";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { WorkflowInput } from "../../workflows/workflow-input.tsx";
import { hasEnded } from "../has-ended.ts";
import { runKey } from "../live/use-run.ts";
import { useShownRun } from "../run-context.ts";
import { FromStep, givenVersion, SAME, VersionChoice } from "./run-choices.tsx";

export function ReplayDialog({ onClose }: { readonly onClose: () => void }) {
  const { appId, live } = useShownRun();
  const { run } = live;
  // A long input is left out of the snapshot.
  const query = useQuery({
    queryKey: [...runKey(appId, run.id), "input"],
    queryFn: ({ signal }) =>
      client
        .with({ signal })
        .runs.get(appId, run.id)
        .then(({ input }) => input),
    enabled: run.input_bytes !== undefined,
    staleTime: Infinity,
  });
  const original = run.input_bytes === undefined ? run.input : query.data;
  if (original === undefined) return query.error === null ? <Loading /> : <ProblemNote error={query.error} />;
  return <ReplayForm original={original} onClose={onClose} />;
}

function ReplayForm({ original, onClose }: { readonly original: JsonObject; readonly onClose: () => void }) {
  const navigateFromHere = useNavigateFromHere();
  const { run: texts } = useTexts();
  const { appId, live } = useShownRun();
  const { run } = live;
  const part = useFormPart(original, { keepsFirst: true });
  const [version, setVersion] = useState(SAME);
  const [from, setFrom] = useState<string | null>(null);
  const ofRun = run.version === 0 ? "draft" : String(run.version);

  async function start(): Promise<boolean> {
    const input = from === null ? part.read() : original;
    if (input === null) return false;
    const isChanged = sortedJson(input) !== sortedJson(original);
    const given = omitUndefined({
      input: isChanged ? input : undefined,
      version: givenVersion(version),
      from_step: from ?? undefined,
    });
    try {
      const replayed = await client.runs.replay(appId, run.id, given);
      navigateFromHere(`/apps/${appId}/runs/${replayed.id}`);
      return true;
    } catch (cause) {
      part.refuse(cause, "/input");
      throw cause;
    }
  }

  return (
    <FormDialog
      title={texts.replayTitle}
      action={texts.replayStart}
      onSubmit={start}
      onClose={onClose}
      size="wide"
      pointers={["/input"]}
      announcement={null}
    >
      {() => (
        <>
          <p>{texts.replayText}</p>
          <VersionChoice value={version} onChange={setVersion} />
          {hasEnded(run.status) ? <FromStep value={from} otherwise={texts.fromStart} onChange={setFrom} /> : null}
          {from === null ? (
            <WorkflowInput
              part={part}
              appId={appId}
              workflowId={run.workflow_id}
              version={version === SAME ? ofRun : version}
              label={texts.input}
            />
          ) : (
            <p className="soft">{texts.inputKept}</p>
          )}
        </>
      )}
    </FormDialog>
  );
}
