/** The form of an input step that waits. */
import { type FormEvent, useEffect, useRef, useState } from "react";
import { blankForm } from "../../../../src/forms/model/fill-entry.ts";
import { inputModel } from "../../../../src/forms/model/input-model.ts";
import { keptEntry } from "../../../../src/forms/model/kept-entry.ts";
import type { WaitingInput } from "../../../../src/forms/waiting-input.ts";
import { isRecord, type JsonObject } from "../../../../src/json.ts";
import type { Run } from "../../../../src/runs/run.ts";
import type { Version } from "../../../../src/workflows/version.ts";
import { Button } from "../elements/controls/button.tsx";
import { useLock } from "../elements/use-lock.ts";
import { UploadWaitNote, useUploadWait } from "../forms/files/upload-wait.tsx";
import { Form } from "../forms/form.tsx";
import { keepValues, keptValues } from "../forms/kept-values.ts";
import { ErrorSummary } from "../forms/refusals/error-summary.tsx";
import { useFormState } from "../forms/use-form-state.ts";
import { useNotation } from "../forms/use-notation.ts";
import { client, isServerError } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { Keys } from "../shortcuts/keys.tsx";
import { useTexts } from "../texts/language.ts";
import { keptName } from "./answers-sent.ts";
import { keepFromSending } from "./keep-from-sending.ts";

interface AnswerFormProps {
  readonly appId: string;
  readonly input: WaitingInput;
  readonly run: Run;
  /** Null if it is gone, or may not be read. */
  readonly version: Version | null;
  /** Whether the step no longer waits. What was typed stays readable. */
  readonly isOver: boolean;
  readonly isSending: boolean;
  /** Called before it is sent. */
  readonly onSending: (answer: JsonObject) => void;
  /** Called if it was refused, or nobody knows whether it has arrived. */
  readonly onFailed: (error: unknown) => void;
  /** Called for a conflict. Resolves to whether the step no longer waits, which is said elsewhere. */
  readonly onConflict: () => Promise<boolean>;
  readonly onSent: () => void;
}

export function AnswerForm(props: AnswerFormProps) {
  const { appId, input, run, version, isOver, isSending, onSending, onFailed, onConflict, onSent } = props;
  const { inbox } = useTexts();
  const refusal = useScopeRefusal("runs:write") ?? (isOver ? inbox.answered : undefined);
  const notation = useNotation();
  const name = keptName(appId, run.id, input);
  const form = useFormState(
    () =>
      inputModel(input.definition, {
        defaults: version?.input_default ?? null,
        options: version?.input_options ?? null,
      }),
    (model) => keptEntry(model, keptValues(name)) ?? blankForm(model, notation),
  );
  const { values } = form;
  const [first] = useState(values);
  useEffect(() => {
    if (values !== first) keepValues(name, values);
  }, [name, values, first]);

  const place = useRef<HTMLFormElement>(null);
  const uploads = useUploadWait(form);
  const isBusy = isSending || uploads.isWaiting;
  useLock(place, () => isBusy);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy || refusal !== undefined) return;
    const given = await uploads.read();
    if (given === null) return;
    const answer: JsonObject = isRecord(given) ? (given as JsonObject) : {};
    onSending(answer);
    try {
      await client.runs.provide(appId, run.id, input.step_key, answer);
      onSent();
    } catch (error) {
      onFailed(error);
      const isOver = isServerError(error) && error.code === "conflict" && (await onConflict());
      if (!isOver) form.refuse(error);
    }
  }

  return (
    <form
      ref={place}
      noValidate
      className="form-body"
      onKeyDownCapture={keepFromSending}
      onSubmit={(event) => void send(event)}
    >
      <ErrorSummary form={form} />
      <Form {...form.props} appId={appId} />
      <div className="form-actions">
        <Button kind="primary" type="submit" isBusy={isBusy} refusal={refusal} aria-keyshortcuts="Control+Enter">
          {inbox.send}
        </Button>
        <UploadWaitNote {...uploads} />
        <span className="soft about-keys">
          {inbox.sendKeys} <Keys combination="Control+Enter" />
        </span>
      </div>
    </form>
  );
}
