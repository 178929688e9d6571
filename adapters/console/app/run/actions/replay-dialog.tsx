/** Starts a new run with the input of this one, changed or not. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readJsonEntry } from "../../../../../src/forms/model/json-entry.ts";
import { isRecord, type JsonObject, type JsonValue, MAX_DEPTH, omitUndefined } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { Field } from "../../elements/fields/field.tsx";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { navigate } from "../../routing/location.ts";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import type { Messages } from "../../texts/messages.ts";
import { hasEnded } from "../has-ended.ts";
import { runKey } from "../live/use-run.ts";
import { useShownRun } from "../run-context.ts";
import { FromStep, type GivenVersion, VersionChoice } from "./run-choices.tsx";

export function ReplayDialog({ onClose }: { readonly onClose: () => void }) {
  const { appId, live } = useShownRun();
  const { run } = live;
  // A long input is left out of the snapshot.
  const query = useQuery({
    queryKey: [...runKey(appId, run.id), "input"],
    queryFn: () => client.runs.get(appId, run.id).then(({ input }) => input),
    enabled: run.input_bytes !== undefined,
    staleTime: Infinity,
  });
  const original = run.input_bytes === undefined ? run.input : query.data;
  if (original === undefined) return query.error === null ? <Loading /> : <ProblemNote error={query.error} />;
  return <ReplayForm original={original} onClose={onClose} />;
}

function ReplayForm({ original, onClose }: { readonly original: JsonObject; readonly onClose: () => void }) {
  const all = useTexts();
  const { run: texts, general } = all;
  const { appId, live } = useShownRun();
  const { run } = live;
  const [first] = useState(() => JSON.stringify(original, null, 2));
  const [text, setText] = useState(first);
  const [version, setVersion] = useState<GivenVersion>("same");
  const [from, setFrom] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { input, problem } = readInput(text, all);

  async function start(): Promise<void> {
    if (input === null) return;
    setBusy(true);
    setError(null);
    try {
      const isChanged = text !== first;
      const given = omitUndefined({
        input: isChanged && from === null ? input : undefined,
        version: version === "same" ? undefined : version,
        from_step: from ?? undefined,
      });
      const replayed = await client.runs.replay(appId, run.id, given);
      onClose();
      navigate(`/apps/${appId}/runs/${replayed.id}`);
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  }

  return (
    <Dialog
      title={texts.replayTitle}
      onClose={onClose}
      size="wide"
      actions={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button kind="primary" isBusy={isBusy} disabled={input === null} onClick={() => void start()}>
            {texts.replayStart}
          </Button>
        </>
      }
    >
      <p>{texts.replayText}</p>
      <VersionChoice value={version} onChange={setVersion} />
      {hasEnded(run.status) ? <FromStep value={from} otherwise={texts.fromStart} onChange={setFrom} /> : null}
      <Field label={texts.input} hint={texts.inputHint} error={problem}>
        {(attributes) => (
          <textarea
            {...attributes}
            className="json-input"
            dir="ltr"
            spellCheck={false}
            disabled={from !== null}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {error === null ? null : <ProblemNote error={error} />}
    </Dialog>
  );
}

function readInput(
  text: string,
  { run: texts, forms }: Messages,
): { readonly input: JsonObject | null; readonly problem: string | null } {
  try {
    const value: JsonValue = JSON.parse(text);
    const read = readJsonEntry(text);
    if ("problem" in read)
      return { input: null, problem: read.problem === "deep" ? forms.tooDeep(MAX_DEPTH) : forms.tooPrecise };
    return isRecord(value) ? { input: value, problem: null } : { input: null, problem: texts.notAnObject };
  } catch (error) {
    return { input: null, problem: texts.invalidJson(error instanceof Error ? error.message : "") };
  }
}
