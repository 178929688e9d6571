/** The form of a run, with its settings and the call that it makes. */
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { isRecord, type JsonObject, type JsonValue } from "../../../../src/json.ts";
import { Button } from "../elements/controls/button.tsx";
import { useLock } from "../elements/use-lock.ts";
import { type UploadWait, UploadWaitNote, useUploadWait } from "../forms/files/upload-wait.tsx";
import { Form } from "../forms/form.tsx";
import { ErrorSummary } from "../forms/refusals/error-summary.tsx";
import { useNavigateFromHere } from "../routing/location.ts";
import { client, isServerError } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { SameCall } from "./same-call.tsx";
import { type TypedJson, useTypedJson } from "./typed-json.ts";
import { type RunFormProps, type RunForms, startOf, startsOf, useRunForms } from "./use-run-forms.ts";
import { StartPicker, VersionPicker } from "./version-picker.tsx";
import { WithoutPlace } from "./without-place.tsx";

export function RunForm(props: RunFormProps) {
  const { appId, workflowId, version, wanted } = props;
  const { newRun } = useTexts();
  const forms = useRunForms(props);
  const { form, settings, earlierInput } = forms;
  const shown = earlierInput ?? forms.inputOf(form.peek());
  const typed = useTypedJson(shown, forms.fill);
  const { isBusy, uploads, isOpen, setOpen, send } = useSending(props, forms, typed);
  const place = useRef<HTMLFormElement>(null);
  useLock(place, () => isBusy);
  const { model } = form;
  const hasNoFields = model.kind === "object" && model.fields.every(({ isHidden }) => isHidden);
  const takesNothing = hasNoFields && model.additional === false;
  return (
    <div className="columns">
      <form ref={place} noValidate className="form-body" onSubmit={(event) => void send(event)}>
        <ErrorSummary form={form} />
        <div className="which">
          <VersionPicker
            appId={appId}
            workflowId={workflowId}
            version={version}
            wanted={wanted}
            onLatest={props.onLatest}
          />
          <StartPicker keys={startsOf(version)} chosen={startOf(version, props.start)} />
        </div>
        {forms.isRestored ? <p role="status">{newRun.restored}</p> : null}
        <WithoutPlace typed={forms.withoutPlace} onDismiss={forms.dismiss} />
        {hasNoFields ? <p>{newRun.noFields}</p> : null}
        {takesNothing ? null : <Form {...form.props} appId={appId} />}
        <details className="more" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{newRun.advanced}</summary>
          {isOpen ? (
            <div className="form-body">
              <ErrorSummary form={settings} />
              <Form {...settings.props} appId={appId} />
            </div>
          ) : null}
        </details>
        <Actions
          isBusy={isBusy}
          uploads={uploads}
          onReset={() => {
            typed.undo();
            forms.reset();
          }}
        />
      </form>
      <SameCall
        appId={appId}
        workflowId={workflowId}
        typed={{
          ...typed,
          change(text) {
            // What was to be sent is not what is wanted any more.
            uploads.stop();
            typed.change(text);
          },
        }}
        body={bodyOf(props, shown, settings.peek())}
        unread={[...(earlierInput === null ? form.unread() : []), ...settings.unread()]}
      />
    </div>
  );
}

interface ActionsProps {
  readonly isBusy: boolean;
  readonly uploads: UploadWait;
  readonly onReset: () => void;
}

function Actions({ isBusy, uploads, onReset }: ActionsProps) {
  const { newRun } = useTexts();
  const refusal = useScopeRefusal("runs:write");
  return (
    <div className="form-actions">
      <Button kind="primary" type="submit" icon="runs" isBusy={isBusy} refusal={refusal}>
        {newRun.start}
      </Button>
      <Button kind="quiet" onClick={onReset}>
        {newRun.reset}
      </Button>
      <UploadWaitNote {...uploads} />
      <span className="notes">{newRun.kept}</span>
    </div>
  );
}

/** Starts the run, and shows at the fields what is wrong. Settings with something wrong are opened. */
function useSending(props: RunFormProps, { form, settings, earlierInput, inputOf, drop }: RunForms, typed: TypedJson) {
  const { appId, workflowId } = props;
  const navigateFromHere = useNavigateFromHere();
  const queries = useQueryClient();
  const uploads = useUploadWait(form);
  const [isSending, setSending] = useState(false);
  const isBusy = isSending || uploads.isWaiting;
  const [isOpen, setOpen] = useState(false);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    // Enter in a field sends the form without its button.
    if (isBusy) return;
    // The form has the values before it, which nobody sees.
    if (typed.problem !== null) return typed.refuse();
    const more = settings.read();
    const allowsUploads = isRecord(more) && more["wait_for_files"] === true;
    if (more === null) setOpen(true);
    const waits = earlierInput === null && !allowsUploads && more !== null;
    const now = earlierInput ?? (waits ? await uploads.read() : form.read({ allowsUploads }));
    if (now === null || more === null) return;
    const input = earlierInput ?? inputOf(now);
    setSending(true);
    try {
      const body = bodyOf(props, input, more);
      // The version of the form, also if another one has been deployed since.
      const version = props.wanted === "latest" ? { version: props.version.version } : {};
      const run = await client.runs.create(appId, workflowId, { ...body, ...version });
      drop();
      void queries.invalidateQueries({ queryKey: [appId, "runs"] });
      navigateFromHere(`/apps/${appId}/runs/${run.id}`);
    } catch (error) {
      setSending(false);
      refuse(error);
    }
  }

  function refuse(error: unknown): void {
    const errors = isServerError(error) ? (error.errors ?? []) : [];
    if (errors.length === 0) form.refuse(error);
    const ofSettings = errors.filter(({ pointer }) => SETTINGS.test(pointer));
    const ofInput = errors.filter((one) => !ofSettings.includes(one));
    if (ofSettings.length > 0) {
      setOpen(true);
      settings.show(ofSettings);
    }
    if (ofInput.length > 0) form.show(ofInput, "/input");
  }

  return { isBusy, uploads, isOpen, setOpen, send };
}

const SETTINGS = /^\/(tags|metadata|run_at|priority|wait_for_files)(\/|$)/;

/** What is sent, with what cannot be read left out. */
function bodyOf({ version, wanted, start: given }: RunFormProps, input: JsonValue, more: JsonValue): JsonObject {
  const start = startOf(version, given);
  return {
    ...(isRecord(input) && Object.keys(input).length > 0 ? { input: input as JsonObject } : undefined),
    ...(wanted === "latest" ? undefined : { version: /^\d+$/.test(wanted) ? Number(wanted) : wanted }),
    ...(start === null || start === startOf(version, null) ? undefined : { step_key: start }),
    ...withoutDefaults(more),
  };
}

/** What is empty, or as it would be without the setting, is not sent. */
function withoutDefaults(settings: JsonValue): JsonObject {
  if (!isRecord(settings)) return {};
  const given = settings as JsonObject; // a JSON value
  return Object.fromEntries(
    Object.entries(given).filter(
      ([, value]) => value !== false && !(isRecord(value) && Object.keys(value).length === 0),
    ),
  );
}
