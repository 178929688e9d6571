/** A call of a language model: which one, its messages, tools, the format of its answer, and limits. */
import { isRecord } from "../../../../../src/json.ts";
import type { ModelProvider } from "../../../../../src/workflows/model-provider.ts";
import type { ModelStep } from "../../../../../src/workflows/step.ts";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { ValueField } from "../../expressions/value-field.tsx";
import { useTexts } from "../../texts/language.ts";
import { Choice, ChoiceField, NumberField, SwitchField } from "../controls/plain-fields.tsx";
import { SchemaField } from "../controls/schema-field.tsx";
import { type KindProps, worstAt } from "../kind-props.ts";
import { Section } from "../sections/section.tsx";
import { useMe } from "../server-data.ts";
import { withField, withOption } from "../step-change.ts";
import { MessageFields } from "./message-fields.tsx";
import type { ProviderProps } from "./provider-props.ts";
import { ToolFields } from "./tool-fields.tsx";

export function ModelFields({ step, onChange, problemAt }: KindProps<ModelStep>) {
  const { steps: texts } = useTexts();
  const { provider } = step;
  const change = (next: ModelProvider) => onChange({ ...step, provider: next });
  return (
    <>
      <ProviderAndModel provider={provider} onChange={change} problemAt={problemAt} />
      <MessageFields
        messages={provider.messages}
        problemAt={problemAt}
        onChange={(messages) => change({ ...provider, messages })}
      />
      <Section
        title={texts.tools}
        isOpen={provider.tools !== undefined}
        problem={worstAt(
          problemAt,
          ["tools", "tools_mode", "tools_parallel", "max_iterations"].map((name) => `/provider/${name}`),
        )}
      >
        <ToolFields provider={provider} onChange={change} problemAt={problemAt} />
      </Section>
      <Section
        title={texts.answer}
        isOpen={provider.response_format !== undefined}
        problem={problemAt("/provider/response_format")}
      >
        <AnswerFields provider={provider} onChange={change} problemAt={problemAt} />
      </Section>
      <Section
        title={texts.modelSettings}
        isOpen={["temperature", "max_tokens", "features"].some((name) => name in provider)}
        problem={worstAt(
          problemAt,
          ["temperature", "max_tokens", "features"].map((name) => `/provider/${name}`),
        )}
      >
        <ModelSettings provider={provider} onChange={change} problemAt={problemAt} />
      </Section>
    </>
  );
}

function ProviderAndModel({ provider, onChange, problemAt }: ProviderProps) {
  const { steps: texts } = useTexts();
  const providers = useMe(useSurroundings().app.id)?.configured.models ?? null;
  return (
    <>
      <ValueField
        label={texts.provider}
        hint={providers?.length === 0 ? texts.noProviders : undefined}
        value={provider.provider}
        error={problemAt("/provider/provider")}
        onChange={(value) => onChange({ ...provider, provider: textOf(value) })}
        plain={({ id, describedBy, isInvalid }) => (
          <Choice
            {...{ id, describedBy, isInvalid }}
            value={provider.provider}
            none={provider.provider === "" ? texts.none : undefined}
            options={(providers ?? []).map((name) => ({ value: name, label: name }))}
            onChange={(value) => onChange({ ...provider, provider: value ?? "" })}
          />
        )}
      />
      <ValueField
        label={texts.modelName}
        hint={texts.modelNameHint}
        value={provider.model}
        error={problemAt("/provider/model")}
        onChange={(value) => onChange({ ...provider, model: textOf(value) })}
      />
    </>
  );
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

const FORMATS = ["text", "json_object", "json_schema"] as const;

function AnswerFields({ provider, onChange, problemAt }: ProviderProps) {
  const { steps: texts } = useTexts();
  const { response_format: format } = provider;
  const change = (next: ModelProvider["response_format"]) => onChange(withField(provider, "response_format", next));
  return (
    <>
      <ChoiceField
        label={texts.answerFormat}
        value={format?.type}
        none={texts.byDefault(texts.answerFormats.text)}
        error={problemAt("/provider/response_format/type")}
        options={FORMATS.map((value) => ({ value, label: texts.answerFormats[value] }))}
        onChange={(value) => {
          const type = FORMATS.find((one) => one === value);
          if (type === undefined) change(undefined);
          else change({ schema: NEW_SCHEMA, ...format, type });
        }}
      />
      {format === undefined || (format.type !== "json_schema" && format.schema === undefined) ? null : (
        <SchemaField
          label={texts.answerSchema}
          schema={format.schema}
          error={problemAt("/provider/response_format/schema")}
          onChange={(schema) => change(withField(format, "schema", isRecord(schema) ? schema : undefined))}
        />
      )}
    </>
  );
}

const NEW_SCHEMA = { type: "object", properties: {}, required: [], additionalProperties: false };

const EFFORTS = ["low", "medium", "high"] as const;

function ModelSettings({ provider, onChange, problemAt }: ProviderProps) {
  const { steps: texts } = useTexts();
  const features = provider.features ?? {};
  const set = (next: typeof features | undefined) => onChange(withField(provider, "features", next));
  return (
    <>
      <NumberField
        label={texts.temperature}
        value={provider.temperature}
        error={problemAt("/provider/temperature")}
        onChange={(value) => onChange(withField(provider, "temperature", value))}
      />
      <NumberField
        label={texts.maxTokens}
        hint={texts.maxTokensHint}
        value={provider.max_tokens}
        error={problemAt("/provider/max_tokens")}
        onChange={(value) => onChange(withField(provider, "max_tokens", value))}
      />
      <SwitchField
        label={texts.stream}
        hint={texts.streamHint}
        isOn={features.stream === true}
        error={problemAt("/provider/features/stream")}
        onChange={(isOn) => set(withOption(features, "stream", isOn ? true : undefined))}
      />
      <ChoiceField
        label={texts.reasoning}
        value={features.reasoning}
        none={texts.providerDefault}
        error={problemAt("/provider/features/reasoning")}
        options={EFFORTS.map((value) => ({ value, label: texts.efforts[value] }))}
        onChange={(value) =>
          set(
            withOption(
              features,
              "reasoning",
              EFFORTS.find((one) => one === value),
            ),
          )
        }
      />
      <SwitchField
        label={texts.cachePrompt}
        isOn={features.cache === true}
        error={problemAt("/provider/features/cache")}
        onChange={(isOn) => set(withOption(features, "cache", isOn ? true : undefined))}
      />
    </>
  );
}
