/** The results of the rules of a record. */
import type { RuleResult } from "../../../../src/collections/records/record.ts";
import { Icon, type IconName } from "../elements/icons.tsx";
import { useTexts } from "../texts/language.ts";
import "./rule-signs.css";

const SIGNS: Readonly<Record<RuleResult["result"], IconName>> = {
  PENDING: "clock",
  PASS: "check",
  WARN: "warning",
  FAIL: "cross",
  ERROR: "stop",
};

/** @param result Its word stands beside the sign, so that the color says nothing alone. */
export function RuleSign({ result, label }: { readonly result: RuleResult["result"]; readonly label: string }) {
  return (
    <span className={`rule-sign ${result.toLowerCase()}`}>
      <Icon name={SIGNS[result]} size={14} /> <span className="label">{label}</span>
    </span>
  );
}

export function RuleSigns({ results }: { readonly results: readonly RuleResult[] }) {
  const { records: texts } = useTexts();
  return (
    <span className="rule-signs">
      {results.map(({ key, name, result }) => (
        <span key={key} title={`${name}: ${texts.outcomes[result]}`}>
          <RuleSign result={result} label={name} />
          <span className="visually-hidden">: {texts.outcomes[result]}</span>
        </span>
      ))}
    </span>
  );
}
