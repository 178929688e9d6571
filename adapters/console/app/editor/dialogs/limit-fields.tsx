/** The limits of a workflow's runs: how many go on at once, how many start in a time, and which wait for each other. */
import { CONCURRENCY_STRATEGIES } from "../../../../../src/workflows/run-limits.ts";
import type { Settings } from "../../../../../src/workflows/settings.ts";
import { ChoiceField } from "../../elements/fields/choice-field.tsx";
import { withField } from "../../steps/step-change.ts";
import { useTexts } from "../../texts/language.ts";
import { ExpressionField, NumberField, SettingGroup } from "./setting-fields.tsx";

interface LimitProps<Name extends keyof Settings> {
  /** Undefined for no limit. */
  readonly value: Settings[Name] | undefined;
  readonly onChange: (value: Settings[Name] | undefined) => void;
}

export function ConcurrencyFields({ value, onChange }: LimitProps<"concurrency">) {
  const { editor: texts } = useTexts();
  return (
    <SettingGroup
      label={texts.concurrency}
      isOn={value !== undefined}
      onSwitch={(isOn) => onChange(isOn ? { limit: 1 } : undefined)}
    >
      {value === undefined ? null : (
        <>
          <NumberField
            label={texts.concurrencyLimit}
            value={value.limit}
            min={1}
            isRequired
            onChange={(limit) => onChange({ ...value, limit: limit ?? 1 })}
          />
          <KeyField value={value.key} onChange={(key) => onChange(withField(value, "key", key))} />
          <ChoiceField
            label={texts.strategy}
            values={CONCURRENCY_STRATEGIES}
            names={texts.strategies}
            value={value.strategy ?? "queue"}
            onChange={(strategy) => onChange({ ...value, strategy })}
          />
        </>
      )}
    </SettingGroup>
  );
}

export function RateLimitFields({ value, onChange }: LimitProps<"rate_limit">) {
  const { editor: texts } = useTexts();
  return (
    <SettingGroup
      label={texts.rateLimit}
      isOn={value !== undefined}
      onSwitch={(isOn) => onChange(isOn ? { limit: 1, period: 60 } : undefined)}
    >
      {value === undefined ? null : (
        <>
          <NumberField
            label={texts.concurrencyLimit}
            value={value.limit}
            min={1}
            isRequired
            onChange={(limit) => onChange({ ...value, limit: limit ?? 1 })}
          />
          <NumberField
            label={texts.period}
            value={value.period}
            isRequired
            onChange={(period) => onChange({ ...value, period: period ?? 1 })}
          />
          <KeyField value={value.key} onChange={(key) => onChange(withField(value, "key", key))} />
        </>
      )}
    </SettingGroup>
  );
}

export function DebounceFields({ value, onChange }: LimitProps<"debounce">) {
  const { editor: texts } = useTexts();
  return (
    <SettingGroup
      label={texts.debounce}
      isOn={value !== undefined}
      onSwitch={(isOn) => onChange(isOn ? { period: 10 } : undefined)}
    >
      {value === undefined ? null : (
        <>
          <NumberField
            label={texts.debouncePeriod}
            value={value.period}
            isRequired
            onChange={(period) => onChange({ ...value, period: period ?? 1 })}
          />
          <NumberField
            label={texts.maxWait}
            value={value.max_wait}
            onChange={(wait) => onChange(withField(value, "max_wait", wait))}
          />
          <KeyField value={value.key} onChange={(key) => onChange(withField(value, "key", key))} />
        </>
      )}
    </SettingGroup>
  );
}

interface KeyFieldProps {
  readonly value: string | undefined;
  readonly onChange: (key: string | undefined) => void;
}

/** Runs with the same key share a limit. */
function KeyField({ value, onChange }: KeyFieldProps) {
  const { editor: texts } = useTexts();
  return <ExpressionField label={texts.concurrencyKey} hint={texts.keyHint} value={value} onChange={onChange} />;
}
