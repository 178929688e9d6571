/** A form within a dialog or another form, or its JSON. It takes the form, since a form can have dialogs with forms. */
import { type ComponentType, type ReactNode, useEffect, useId, useState } from "react";
import { jsonText } from "../../../../../src/forms/model/entry.ts";
import { blankForm, fillForm } from "../../../../../src/forms/model/fill-entry.ts";
import type { FormModel } from "../../../../../src/forms/model/form-model.ts";
import { isSameEntry } from "../../../../../src/forms/model/merge-entries.ts";
import { isRecord, type JsonObject, type JsonValue } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { visibleJson } from "../../elements/values/visible-text.ts";
import { useTexts } from "../../texts/language.ts";
import { changedValues } from "../changed-values.ts";
import type { FormProps } from "../control-props.ts";
import { ErrorSummary } from "../refusals/error-summary.tsx";
import { useFormState } from "../use-form-state.ts";
import { useNotation } from "../use-notation.ts";
import type { FormPartState } from "./use-form-part.ts";

export interface FormPartProps {
  readonly part: FormPartState;
  /** Called once: another form needs another `key`. */
  readonly makeModel: () => FormModel;
  readonly appId: string;
  readonly label: string;
  readonly hint?: ReactNode;
}

export function SwitchedForm({
  Form,
  part,
  makeModel,
  appId,
  label,
  hint,
}: FormPartProps & { readonly Form: ComponentType<FormProps> }) {
  const { forms } = useTexts();
  const notation = useNotation();
  const id = useId();
  const { values, shown, keepsFirst } = part;
  const [kept] = useState(part.unchanged);
  const form = useFormState(makeModel, (model) =>
    values.current === null ? blankForm(model, notation) : fillForm(model, values.current, notation),
  );
  const [opened] = useState(form.values);
  const [given, setGiven] = useState(keepsFirst ? values.current : null);
  const isJson = form.values.kind === "raw";
  const asGiven = (now: JsonValue) =>
    given === null || isJson ? now : changedValues(form.model, notation, given, now);
  useEffect(() => {
    shown.current = {
      ...form,
      read(options) {
        const value = form.read(options);
        return value === null ? null : asGiven(value);
      },
      peek: () => asGiven(form.peek()),
    };
    const now = kept !== null && isSameEntry(form.values, opened) ? kept : shown.current.peek();
    if (isRecord(now)) values.current = now as JsonObject; // a form reads JSON
  });
  useEffect(
    () => () => {
      shown.current = null;
    },
    [shown],
  );
  const turn = () => {
    const value = part.unchanged() ?? shown.current?.read() ?? null;
    if (value === null) return;
    if (isJson) {
      if (keepsFirst) setGiven(isRecord(value) ? (value as JsonObject) : null); // a form reads JSON
      form.fill(value);
    } else form.setValues({ kind: "raw", text: visibleJson(jsonText(value)) });
  };
  return (
    <section aria-labelledby={id} className="form-part">
      <div className="row-head">
        <strong id={id}>{label}</strong>
        {form.model.kind === "json" ? null : (
          <Button kind="quiet" icon={isJson ? "edit" : "code"} onClick={turn}>
            {isJson ? forms.editAsForm : forms.editAsJson}
          </Button>
        )}
      </div>
      {hint === undefined || hint === null ? null : <p className="soft">{hint}</p>}
      <ErrorSummary form={form} />
      <Form {...form.props} appId={appId} />
    </section>
  );
}
