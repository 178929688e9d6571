/** The forms of a run: that of its input, and that of its settings. */
import { type RefObject, useEffect, useMemo, useState } from "react";
import type { Entry } from "../../../../src/forms/model/entry.ts";
import { blankForm, fillForm } from "../../../../src/forms/model/fill-entry.ts";
import type { FormModel } from "../../../../src/forms/model/form-model.ts";
import { inputModel } from "../../../../src/forms/model/input-model.ts";
import { keptTyped, placedValues, type TypedValue, typedValues } from "../../../../src/forms/model/typed-values.ts";
import { isRecord, type JsonObject, type JsonValue } from "../../../../src/json.ts";
import type { Run } from "../../../../src/runs/run.ts";
import { definitionAt } from "../../../../src/workflows/start-step.ts";
import type { Version } from "../../../../src/workflows/version.ts";
import { changedValues } from "../forms/changed-values.ts";
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
  /** What was typed into the form that was shown last, such as that of another version. It is taken over. */
  readonly last: RefObject<TypedRun | null>;
  /** Called when the latest version is chosen, which may be newer than the one of the form. */
  readonly onLatest: () => void;
}

/** What a person has typed for a run, for whichever version. */
export interface TypedRun {
  /** The workflow, and the run that filled the form. */
  readonly of: string;
  readonly input: readonly TypedValue[];
  readonly settings: readonly TypedValue[];
}

export interface RunForms {
  readonly form: FormState;
  /**
   * The input of the earlier run as long as nobody has changed the form: a form may write the same differently, such as
   * with the values that it shows for what is absent. Null once it was changed, and without an earlier run.
   */
  readonly earlierInput: JsonObject | null;
  /** The input of what the form gives: what nobody has changed stays as it was in the earlier run, or in the JSON that was typed. */
  readonly inputOf: (now: JsonValue) => JsonValue;
  /** Fills the form with JSON that somebody has typed. */
  readonly fill: (input: JsonObject) => void;
  readonly settings: FormState;
  readonly isRestored: boolean;
  /** What was typed and has no place in the forms, until a person has seen it. */
  readonly withoutPlace: readonly TypedValue[];
  readonly dismiss: () => void;
  /** Makes the forms blank, and forgets what was typed. */
  readonly reset: () => void;
  /** Forgets what was kept. */
  readonly drop: () => void;
}

/** Both forms: with what was typed, on top of an earlier run or of nothing. What was typed is kept field by field. */
export function useRunForms(props: RunFormProps): RunForms {
  const { appId, workflowId, version, earlier, last } = props;
  const { newRun } = useTexts();
  const notation = useNotation();
  const start = startOf(version, props.start);
  const name = `new-run/${appId}/${workflowId}${earlier === null ? "" : `/${earlier.id}`}`;
  const [{ typed, isKept }] = useState(() =>
    last.current?.of === name ? { typed: last.current, isKept: false } : { typed: keptRun(name), isKept: true },
  );
  const input = useTypedForm(
    typed.input,
    () => {
      const { input_default: defaults, input_options: options } = version;
      return inputModel(definitionAt(version, start), { defaults, options });
    },
    (model) => (earlier === null ? blankForm(model, notation) : fillForm(model, earlier.input, notation)),
  );
  const settings = useTypedForm(
    typed.settings,
    () => settingsModel(newRun, hasFiles(input.form.model)),
    (model) => {
      if (earlier === null) return blankForm(model, notation);
      const { tags, metadata } = earlier;
      return fillForm(model, withoutEmpty({ tags: [...tags], metadata: { ...metadata } }), notation);
    },
  );
  const [given, setGiven] = useState(earlier?.input ?? null);
  const { typedNow: inputNow } = input;
  const { typedNow: settingsNow } = settings;
  useEffect(() => {
    last.current = { of: name, input: inputNow, settings: settingsNow };
    if (inputNow.length + settingsNow.length === 0) dropValues(name);
    else keepValues(name, { input: inputNow, settings: settingsNow });
  }, [last, name, inputNow, settingsNow]);
  const forms = [input, settings];
  return {
    form: input.form,
    earlierInput: earlier !== null && input.isAsGiven && given === earlier.input ? given : null,
    inputOf: (now) => (given === null ? now : changedValues(input.form.model, notation, given, now)),
    fill(next) {
      setGiven(next);
      input.form.fill(next);
    },
    settings: settings.form,
    isRestored: isKept && forms.every(({ isChanged }) => !isChanged) && forms.some(({ isFilled }) => isFilled),
    withoutPlace: forms.flatMap(({ rest }) => rest.filter(({ isDismissed }) => isDismissed !== true)),
    dismiss() {
      for (const { setRest } of forms) setRest((rest) => rest.map((one) => ({ ...one, isDismissed: true })));
    },
    reset() {
      setGiven(null);
      for (const { form, setRest } of forms) {
        setRest([]);
        form.clear();
      }
    },
    drop: () => dropValues(name),
  };
}

function keptRun(of: string): TypedRun {
  const kept = keptValues(of);
  const found = isRecord(kept) ? kept : {};
  return { of, input: keptTyped(found["input"]), settings: keptTyped(found["settings"]) };
}

/** A form with what was typed, and with what it has no place for. @param unchanged The form until somebody types something. */
function useTypedForm(
  typed: readonly TypedValue[],
  makeModel: () => FormModel,
  unchanged: (model: FormModel) => Entry,
) {
  const notation = useNotation();
  const [start] = useState(() => {
    const model = makeModel();
    const blank = unchanged(model);
    return { model, blank, ...placedValues(model, blank, typed, notation) };
  });
  const { model, blank, entry } = start;
  const [rest, setRest] = useState(start.rest);
  const form = useFormState(
    () => model,
    () => entry,
  );
  const { values } = form;
  const changes = useMemo(() => typedValues(model, blank, values), [model, blank, values]);
  const typedNow = useMemo(() => [...rest, ...changes], [rest, changes]);
  const isAsGiven = changes.length === 0;
  return { form, rest, setRest, typedNow, isAsGiven, isFilled: entry !== blank, isChanged: values !== entry };
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
