/** The limits of a workflow's runs: how many go on at once, how many start in a time, and which wait for each other. */
import type { ReactNode } from "react";
import { CONCURRENCY_STRATEGIES } from "../../../../../src/workflows/run-limits.ts";
import type { Settings } from "../../../../../src/workflows/settings.ts";
import { ChoiceField } from "../../elements/fields/choice-field.tsx";
import { withField } from "../../steps/step-change.ts";
import { useTexts } from "../../texts/language.ts";
import { ExpressionSetting, NumberSetting, SettingGroup } from "./setting-fields.tsx";

interface LimitProps<Name extends keyof Settings> {
  /** Undefined for no limit. */
  readonly value: Settings[Name] | undefined;
  readonly onChange: (value: Settings[Name] | undefined) => void;
}

export function ConcurrencyFields({ value, onChange }: LimitProps<"concurrency">) {
  const { editor: texts } = useTexts();
  return (
    <LimitGroup label={texts.concurrency} first={{ limit: 1 }} value={value} onChange={onChange}>
      {(limit) => (
        <>
          <LimitField value={limit} onChange={onChange} />
          <KeyField value={limit} onChange={onChange} />
          <ChoiceField
            label={texts.strategy}
            values={CONCURRENCY_STRATEGIES}
            names={texts.strategies}
            value={limit.strategy ?? "queue"}
            onChange={(strategy) => onChange({ ...limit, strategy })}
          />
        </>
      )}
    </LimitGroup>
  );
}

export function RateLimitFields({ value, onChange }: LimitProps<"rate_limit">) {
  const { editor: texts } = useTexts();
  return (
    <LimitGroup label={texts.rateLimit} first={{ limit: 1, period: 60 }} value={value} onChange={onChange}>
      {(limit) => (
        <>
          <LimitField value={limit} onChange={onChange} />
          <NumberSetting
            label={texts.period}
            value={limit.period}
            isRequired
            onChange={(period) => onChange({ ...limit, period })}
          />
          <KeyField value={limit} onChange={onChange} />
        </>
      )}
    </LimitGroup>
  );
}

export function DebounceFields({ value, onChange }: LimitProps<"debounce">) {
  const { editor: texts } = useTexts();
  return (
    <LimitGroup label={texts.debounce} first={{ period: 10 }} value={value} onChange={onChange}>
      {(limit) => (
        <>
          <NumberSetting
            label={texts.debouncePeriod}
            value={limit.period}
            isRequired
            onChange={(period) => onChange({ ...limit, period })}
          />
          <NumberSetting
            label={texts.maxWait}
            value={limit.max_wait}
            onChange={(wait) => onChange(withField(limit, "max_wait", wait))}
          />
          <KeyField value={limit} onChange={onChange} />
        </>
      )}
    </LimitGroup>
  );
}

interface LimitGroupProps<Limit> {
  readonly label: string;
  /** The limit that is there at first. */
  readonly first: Limit;
  readonly value: Limit | undefined;
  readonly onChange: (value: Limit | undefined) => void;
  readonly children: (limit: Limit) => ReactNode;
}

function LimitGroup<Limit>({ label, first, value, onChange, children }: LimitGroupProps<Limit>) {
  return (
    <SettingGroup label={label} isOn={value !== undefined} onSwitch={(isOn) => onChange(isOn ? first : undefined)}>
      {value === undefined ? null : children(value)}
    </SettingGroup>
  );
}

interface PartProps<Limit> {
  readonly value: Limit;
  readonly onChange: (value: Limit) => void;
}

/** A number of runs. */
function LimitField<Limit extends { readonly limit: number }>({ value, onChange }: PartProps<Limit>) {
  const { editor: texts } = useTexts();
  return (
    <NumberSetting
      label={texts.concurrencyLimit}
      value={value.limit}
      min={1}
      isRequired
      onChange={(limit) => onChange({ ...value, limit })}
    />
  );
}

/** Runs with the same key share a limit. */
function KeyField<Limit extends { readonly key?: string }>({ value, onChange }: PartProps<Limit>) {
  const { editor: texts } = useTexts();
  return (
    <ExpressionSetting
      label={texts.concurrencyKey}
      hint={texts.keyHint}
      value={value.key}
      onChange={(key) => onChange(withField(value, "key", key))}
    />
  );
}
