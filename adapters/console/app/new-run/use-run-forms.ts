/** The forms of a run: that of its input, and that of its settings. */
import { type RefObject, useEffect, useState } from "react";
import { carriedEntry, type FilledForm } from "../../../../src/forms/model/carried-entry.ts";
import { blankForm, fillForm } from "../../../../src/forms/model/fill-entry.ts";
import type { FormModel } from "../../../../src/forms/model/form-model.ts";
import { inputModel } from "../../../../src/forms/model/input-model.ts";
import { keptEntry } from "../../../../src/forms/model/kept-entry.ts";
import { isRecord, type JsonObject } from "../../../../src/json.ts";
import type { Run } from "../../../../src/runs/run.ts";
import { definitionAt } from "../../../../src/workflows/start-step.ts";
import type { Version } from "../../../../src/workflows/version.ts";
import { dropValues, keepValues, keptValues } from "../forms/kept-values.ts";
import { type FormState, useFormState } from "../forms/use-form-state.ts";
import { useNotation } from "../forms/use-notation.ts";
import { useTexts } from "../texts/language.ts";
import { hasFiles, settingsModel } from "./settings-model.ts";

export interface RunFormProps {
  readonly appId: string;
  readonly workflowId: string;
  readonly version: Version;
  /** The version as it was asked for: `latest`, `draft`, an id or a number. */
  readonly wanted: string;
  /** Key of the start step; null for the first input step. */
  readonly start: string | null;
  /** The run whose input fills the form. */
  readonly earlier: Run | null;
  /** The forms of the version, or of the start step, that were shown last. They are taken over, and replaced by these. */
  readonly last: RefObject<FilledRun | null>;
}

/** The forms of a run with what a person has entered. */
export interface FilledRun {
  /** The workflow, and the run that filled them. */
  readonly of: string;
  readonly input: FilledForm;
  readonly settings: FilledForm;
}

export interface RunForms {
  readonly form: FormState;
  readonly settings: FormState;
  readonly isRestored: boolean;
  /** Forgets what was kept. */
  readonly drop: () => void;
}

/** Both forms: as they were left, or filled from an earlier run, or blank. */
export function useRunForms(props: RunFormProps): RunForms {
  const { appId, workflowId, version, earlier, last } = props;
  const { newRun } = useTexts();
  const notation = useNotation();
  const start = startOf(version, props.start);
  const name = `new-run/${appId}/${workflowId}`;
  const mark = `${version.id} ${start ?? ""} ${earlier?.id ?? ""}`;
  const [kept] = useState(() => {
    const found = keptValues(name);
    return isRecord(found) && found["mark"] === mark ? found : null;
  });
  const of = `${name} ${earlier?.id ?? ""}`;
  const [carried] = useState(() => (kept === null && last.current?.of === of ? last.current : null));
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
      const blank = unchanged(model);
      return (
        keptEntry(model, kept?.["values"]) ?? (carried === null ? blank : carriedEntry(model, blank, carried.input))
      );
    },
  );
  const settings = useFormState(
    () => settingsModel(newRun, hasFiles(form.model)),
    (model) => {
      const blank = unchangedSettings(model);
      return (
        keptEntry(model, kept?.["settings"]) ??
        (carried === null ? blank : carriedEntry(model, blank, carried.settings))
      );
    },
  );
  const [first] = useState(() => {
    const [input, more] = [unchanged(form.model), unchangedSettings(settings.model)];
    const shown = [form.values, settings.values];
    // What was typed may have been taken away again.
    const isRestored = kept !== null && JSON.stringify(shown) !== JSON.stringify([input, more]);
    return { values: form.values, settings: settings.values, isRestored, blank: { input, settings: more } };
  });
  const isChanged = carried !== null || form.values !== first.values || settings.values !== first.settings;
  const { values } = form;
  const { values: settingValues } = settings;
  useEffect(() => {
    if (isChanged) keepValues(name, { mark, values, settings: settingValues });
  }, [name, mark, values, settingValues, isChanged]);
  const { blank } = first;
  useEffect(() => {
    last.current = {
      of,
      input: { first: blank.input, values },
      settings: { first: blank.settings, values: settingValues },
    };
  }, [last, of, blank, values, settingValues]);
  return { form, settings, isRestored: first.isRestored && !isChanged, drop: () => dropValues(name) };
}

const withoutEmpty = (given: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => Object.keys(Object(value)).length > 0));

/** The keys of the steps that a run can start at. */
export const startsOf = ({ steps }: Version): readonly string[] =>
  steps.flatMap(({ type, key }) => (type === "input" ? [key] : []));

/** @param wanted The first one if it is null, or none of the version. */
export function startOf(version: Version, wanted: string | null): string | null {
  const keys = startsOf(version);
  return wanted !== null && keys.includes(wanted) ? wanted : (keys[0] ?? null);
}
