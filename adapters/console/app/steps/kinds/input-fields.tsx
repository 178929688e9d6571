/** What a step asks for: its fields, the form that people get, and a webhook that starts runs. */

import { inputModel } from "../../../../../src/forms/model/input-model.ts";
import type { InputStep } from "../../../../../src/workflows/step.ts";
import { HTTP_METHODS } from "../../../../../src/workflows/step.ts";
import { pathText } from "../../expressions/known-value.ts";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { Form } from "../../forms/form.tsx";
import { useFormState } from "../../forms/use-form-state.ts";
import { useTexts } from "../../texts/language.ts";
import { ChoiceField, SwitchField, TextField } from "../controls/plain-fields.tsx";
import { FieldBuilder } from "../input-fields/field-builder.tsx";
import type { KindProps } from "../kind-props.ts";
import { Section } from "../sections/section.tsx";
import { withField } from "../step-change.ts";
import { HookAddress } from "./hook-address.tsx";

export function InputFields({ step, onChange, problemAt }: KindProps<InputStep>) {
  const { inputFields: fieldTexts } = useTexts();
  const { definition } = useSurroundings();
  const startsRuns = definition.steps.find(({ type }) => type === "input")?.key === step.key;
  return (
    <>
      <FieldBuilder
        label={fieldTexts.fields}
        definition={step.input}
        at="/input"
        problemAt={problemAt}
        readAs={startsRuns ? "input" : `${pathText("steps", step.key, false)}.output`}
        onChange={(input) => onChange({ ...step, input })}
      />
      {Object.keys(step.input).length === 0 ? null : (
        <Section title={fieldTexts.formPreview} isOpen={true}>
          <p className="hint">{fieldTexts.formPreviewHint}</p>
          <Preview step={step} key={JSON.stringify(step.input)} />
        </Section>
      )}
      <WebhookFields step={step} onChange={onChange} problemAt={problemAt} />
    </>
  );
}

/** The form as people get it. What is typed here goes nowhere. */
function Preview({ step }: { readonly step: InputStep }) {
  const { app } = useSurroundings();
  const { props } = useFormState(() => inputModel(step.input));
  return (
    <div className="preview">
      <Form {...props} appId={app.id} />
    </div>
  );
}

const RESPONSES = ["run", "output"] as const;

function WebhookFields({ step, onChange, problemAt }: KindProps<InputStep>) {
  const { steps: texts, inputFields: fieldTexts } = useTexts();
  const { webhook } = step;
  const { app, workflowId } = useSurroundings();
  const change = (next: InputStep["webhook"]) => onChange(withField(step, "webhook", next));
  const base = `/public/apps/hooks/${app.id}/`;
  const defaultPath = `${workflowId}/${step.key}`;
  return (
    <Section title={fieldTexts.webhook} isOpen={webhook !== undefined} problem={problemAt("/webhook")}>
      <SwitchField
        label={fieldTexts.hasWebhook}
        hint={fieldTexts.hasWebhookHint}
        isOn={webhook !== undefined}
        error={webhook === undefined ? problemAt("/webhook") : null}
        onChange={(isOn) => change(isOn ? { method: "POST" } : undefined)}
      />
      {webhook === undefined ? null : (
        <>
          <ChoiceField
            label={texts.method}
            value={webhook.method}
            error={problemAt("/webhook/method")}
            options={HTTP_METHODS.map((value) => ({ value, label: value }))}
            onChange={(value) =>
              change({ ...webhook, method: HTTP_METHODS.find((one) => one === value) ?? webhook.method })
            }
          />
          <TextField
            label={fieldTexts.webhookPath}
            hint={fieldTexts.webhookPathHint(base)}
            placeholder={defaultPath}
            value={webhook.path}
            maxLength={1_024}
            error={problemAt("/webhook/path")}
            onChange={(value) => change(withField(webhook, "path", value))}
          />
          <ChoiceField
            label={fieldTexts.respond}
            value={webhook.respond}
            none={texts.byDefault(fieldTexts.responses.run)}
            error={problemAt("/webhook/respond")}
            options={RESPONSES.map((value) => ({ value, label: fieldTexts.responses[value] }))}
            onChange={(value) =>
              change(
                withField(
                  webhook,
                  "respond",
                  RESPONSES.find((one) => one === value),
                ),
              )
            }
          />
          <SwitchField
            label={fieldTexts.webhookForm}
            hint={fieldTexts.webhookFormHint}
            isOn={webhook.form === true}
            error={problemAt("/webhook/form")}
            onChange={(isOn) => change(withField(webhook, "form", isOn ? true : undefined))}
          />
          <HookAddress webhook={webhook} defaultPath={defaultPath} />
        </>
      )}
    </Section>
  );
}
