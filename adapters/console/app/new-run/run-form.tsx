/** The form of a run, with its settings and the call that it makes. */
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { blankForm, fillForm } from "../../../../src/forms/model/fill-entry.ts";
import type { FormModel } from "../../../../src/forms/model/form-model.ts";
import { inputModel } from "../../../../src/forms/model/input-model.ts";
import { keptEntry } from "../../../../src/forms/model/kept-entry.ts";
import { isRecord, type JsonObject, type JsonValue } from "../../../../src/json.ts";
import type { Run } from "../../../../src/runs/run.ts";
import { definitionAt } from "../../../../src/workflows/start-step.ts";
import type { Version } from "../../../../src/workflows/version.ts";
import { Button } from "../elements/controls/button.tsx";
import { ErrorSummary } from "../forms/error-summary.tsx";
import { Form } from "../forms/form.tsx";
import { dropValues, keepValues, keptValues } from "../forms/kept-values.ts";
import { type FormState, useFormState } from "../forms/use-form-state.ts";
import { useNotation } from "../forms/use-notation.ts";
import { useNavigateFromHere } from "../routing/location.ts";
import { client, isServerError } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { SameCall } from "./same-call.tsx";
import { hasFiles, settingsModel } from "./settings-model.ts";
import { useTypedJson } from "./typed-json.ts";
import { StartPicker, VersionPicker } from "./version-picker.tsx";

interface RunFormProps {
  readonly appId: string;
  readonly workflowId: string;
  readonly version: Version;
  /** The version as it was asked for: `latest`, `draft`, an id or a number. */
  readonly wanted: string;
  /** Key of the start step; null for the first input step. */
  readonly start: string | null;
  /** The run whose input fills the form. */
  readonly earlier: Run | null;
}

export function RunForm(props: RunFormProps) {
  const navigateFromHere = useNavigateFromHere();
  const { appId, workflowId, version, wanted } = props;
  const { newRun, general } = useTexts();
  const mayRun = useMay("runs:write");
  const queries = useQueryClient();
  const { form, settings, isRestored, drop } = useRunForms(props);
  const typed = useTypedJson(form);
  const [isBusy, setBusy] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const starts = version.steps.flatMap(({ type, key }) => (type === "input" ? [key] : []));
  const start = startOf(props);

  /** What is sent, with what cannot be read left out. */
  const create = (input: JsonValue, more: JsonValue): JsonObject => ({
    ...(isRecord(input) && Object.keys(input).length > 0 ? { input: input as JsonObject } : undefined),
    ...(wanted === "latest" ? undefined : { version: /^\d+$/.test(wanted) ? Number(wanted) : wanted }),
    ...(start === null || start === starts[0] ? undefined : { step_key: start }),
    ...withoutDefaults(more),
  });

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    // Enter in a field sends the form without its button.
    if (isBusy) return;
    // The form has the values before it, which nobody sees.
    if (typed.problem !== null) return typed.refuse();
    const more = settings.read();
    const allowsUploads = isRecord(more) && more["wait_for_files"] === true;
    const input = form.read({ allowsUploads });
    if (more === null) setOpen(true);
    if (input === null || more === null) return;
    setBusy(true);
    try {
      const run = await client.runs.create(appId, workflowId, create(input, more));
      drop();
      void queries.invalidateQueries({ queryKey: [appId, "runs"] });
      navigateFromHere(`/apps/${appId}/runs/${run.id}`);
    } catch (error) {
      setBusy(false);
      const errors = isServerError(error) ? (error.errors ?? []) : [];
      const ofSettings = errors.filter(({ pointer }) => SETTINGS.test(pointer));
      if (ofSettings.length > 0) {
        setOpen(true);
        settings.show(ofSettings);
      }
      if (ofSettings.length < errors.length)
        form.show(
          errors.filter((one) => !ofSettings.includes(one)),
          "/input",
        );
      if (errors.length === 0) form.refuse(error);
    }
  }

  const { model } = form;
  const hasNoFields = model.kind === "object" && model.fields.every(({ isHidden }) => isHidden);
  const takesNothing = hasNoFields && model.additional === false;
  return (
    <div className="columns">
      <form noValidate className="form-body" onSubmit={(event) => void send(event)}>
        <ErrorSummary form={form} />
        <div className="which">
          <VersionPicker appId={appId} workflowId={workflowId} version={version} wanted={wanted} />
          <StartPicker keys={starts} chosen={start} />
        </div>
        {isRestored ? <p role="status">{newRun.restored}</p> : null}
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
        <div className="form-actions">
          <Button
            kind="primary"
            type="submit"
            icon="runs"
            isBusy={isBusy}
            disabled={!mayRun}
            title={mayRun ? undefined : general.needsScope("runs:write")}
          >
            {newRun.start}
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              drop();
              typed.undo();
              form.clear();
              settings.clear();
            }}
          >
            {newRun.reset}
          </Button>
          <span className="notes">{newRun.kept}</span>
        </div>
      </form>
      <SameCall
        appId={appId}
        workflowId={workflowId}
        typed={typed}
        body={create(form.peek(), settings.peek())}
        unread={[...form.unread(), ...settings.unread()]}
      />
    </div>
  );
}

const SETTINGS = /^\/(tags|metadata|run_at|priority|wait_for_files)(\/|$)/;

const startOf = ({ start, version: { steps } }: RunFormProps): string | null => {
  const keys = steps.flatMap(({ type, key }) => (type === "input" ? [key] : []));
  return start !== null && keys.includes(start) ? start : (keys[0] ?? null);
};

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

interface RunForms {
  readonly form: FormState;
  readonly settings: FormState;
  readonly isRestored: boolean;
  /** Forgets what was kept. */
  readonly drop: () => void;
}

/** Both forms: as they were left, or filled from an earlier run, or blank. */
function useRunForms(props: RunFormProps): RunForms {
  const { appId, workflowId, version, earlier } = props;
  const { newRun } = useTexts();
  const notation = useNotation();
  const start = startOf(props);
  const name = `new-run/${appId}/${workflowId}`;
  const mark = `${version.id} ${start ?? ""} ${earlier?.id ?? ""}`;
  const [kept] = useState(() => {
    const found = keptValues(name);
    return isRecord(found) && found["mark"] === mark ? found : null;
  });
  /** The forms as they are until somebody types something. */
  const unchanged = (model: FormModel) =>
    earlier === null ? blankForm(model, notation) : fillForm(model, earlier.input, notation);
  const unchangedSettings = (model: FormModel) => {
    if (earlier === null) return blankForm(model, notation);
    const { tags, metadata } = earlier;
    return fillForm(model, withoutEmpty({ tags: [...tags], metadata: { ...metadata } }), notation);
  };
  const form = useFormState(
    () => {
      const { input_default: defaults, input_options: options } = version;
      return inputModel(definitionAt(version, start), { defaults, options });
    },
    (model) => {
      return keptEntry(model, kept?.["values"]) ?? unchanged(model);
    },
  );
  const settings = useFormState(
    () => settingsModel(newRun, hasFiles(form.model)),
    (model) => {
      return keptEntry(model, kept?.["settings"]) ?? unchangedSettings(model);
    },
  );
  const [first] = useState(() => {
    const before = [unchanged(form.model), unchangedSettings(settings.model)];
    // What was typed may have been taken away again.
    const isRestored = kept !== null && JSON.stringify([form.values, settings.values]) !== JSON.stringify(before);
    return { values: form.values, settings: settings.values, isRestored };
  });
  const isChanged = form.values !== first.values || settings.values !== first.settings;
  const { values } = form;
  const { values: settingValues } = settings;
  useEffect(() => {
    if (isChanged) keepValues(name, { mark, values, settings: settingValues });
  }, [name, mark, values, settingValues, isChanged]);
  return { form, settings, isRestored: first.isRestored && !isChanged, drop: () => dropValues(name) };
}

const withoutEmpty = (given: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => Object.keys(Object(value)).length > 0));
