/** The model that fills in the fields which are left to one: `auto`. */
import { hasAutoCall } from "../../expressions/modes.ts";
import { useTexts } from "../../texts/language.ts";
import { NumberField, TextField } from "../controls/plain-fields.tsx";
import { ProviderField } from "../controls/provider-field.tsx";
import type { KindProps } from "../kind-props.ts";
import { withField, withOption } from "../step-change.ts";
import { Section } from "./section.tsx";

export function AutoSection({ step, onChange, problemAt }: KindProps) {
  const { steps: texts } = useTexts();
  const auto = step.auto ?? {};
  const isNeeded = hasAutoCall(step);
  const change = (next: typeof auto | undefined) => onChange(withField(step, "auto", next));
  return (
    <Section title={texts.auto} isOpen={isNeeded || step.auto !== undefined} problem={problemAt("/auto")}>
      <p className="hint">{texts.autoHint}</p>
      <ProviderField
        label={texts.provider}
        value={auto.provider}
        error={problemAt("/auto/provider") ?? problemAt("/auto")}
        onChange={(value) => change(withOption(auto, "provider", value))}
      />
      <TextField
        label={texts.modelName}
        value={auto.model}
        error={problemAt("/auto/model")}
        onChange={(value) => change(withOption(auto, "model", value))}
      />
      <NumberField
        label={texts.temperature}
        value={auto.temperature}
        error={problemAt("/auto/temperature")}
        onChange={(value) => change(withOption(auto, "temperature", value))}
      />
    </Section>
  );
}
