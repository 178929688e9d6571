/**
 * A form: of a run, of an input that waits, of a schedule, a connection or a step. The owner keeps its values and sends
 * them; the form only shows them.
 */
import { useId, useMemo } from "react";
import type { FormValues } from "../../../../src/forms/model/entry.ts";
import type { VariantsShape } from "../../../../src/forms/model/form-model.ts";
import { Field } from "../elements/fields/field.tsx";
import { useTexts } from "../texts/language.ts";
import { ControlOf } from "./control-of.tsx";
import type { Change, FormProps } from "./control-props.ts";
import { controlId, FormContext, useForm } from "./form-context.ts";
import { JsonControl } from "./json-control.tsx";
import { ObjectFields } from "./object-fields.tsx";
import { useNotation } from "./use-notation.ts";
import { VariantsControl } from "./variants-control.tsx";
import "./form.css";

const NO_ERRORS: ReadonlyMap<string, string> = new Map();

export function Form({ model, values, onChange, errors = NO_ERRORS, appId, id }: FormProps) {
  const ownId = useId();
  const formId = id ?? ownId;
  const notation = useNotation();
  const context = useMemo(
    () => ({ formId, appId, notation, errors, Form, Fields: ObjectFields, Control: ControlOf }),
    [formId, appId, notation, errors],
  );
  return (
    <FormContext value={context}>
      <div className="form-fields">
        {model.kind === "object" && values.kind === "object" ? (
          <ObjectFields shape={model} entry={values} change={onChange} place="" />
        ) : model.kind === "variants" && values.kind === "variants" ? (
          <WholeVariants shape={model} values={values} onChange={onChange} error={errors.get("") ?? null} />
        ) : (
          <WholeJson values={values} onChange={onChange} error={errors.get("") ?? null} />
        )}
      </div>
    </FormContext>
  );
}

/** The whole is one of several forms. */
function WholeVariants({
  shape,
  values,
  onChange,
  error,
}: {
  readonly shape: VariantsShape;
  readonly values: FormValues;
  readonly onChange: Change;
  readonly error: string | null;
}) {
  const { forms } = useTexts();
  const { formId } = useForm();
  const id = controlId(formId, "");
  return (
    <div className="form-field full">
      <div id={`${id}-label`} className="label">
        {forms.typeOfValues}
      </div>
      <VariantsControl
        shape={shape}
        entry={values}
        change={onChange}
        place=""
        label={forms.values}
        isRequired={true}
        placeholder={null}
        attributes={{ id, "aria-describedby": undefined, "aria-invalid": error !== null }}
      />
    </div>
  );
}

/** Nothing is known of the fields, or the values do not fit them. */
function WholeJson({
  values,
  onChange,
  error,
}: {
  readonly values: FormValues;
  readonly onChange: Change;
  readonly error: string | null;
}) {
  const { forms } = useTexts();
  return (
    <Field label={forms.values} hint={values.kind === "raw" ? forms.formAsJson : forms.anyObject} error={error}>
      {(attributes) => (
        <JsonControl
          shape={{ kind: "json" }}
          entry={values}
          change={onChange}
          place=""
          label={forms.values}
          isRequired={false}
          placeholder={null}
          attributes={attributes}
        />
      )}
    </Field>
  );
}
