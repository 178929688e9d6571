/** Why a run went on as it did: the conditions of a step in their order, what each returned, and what it read. */
import type { StepCondition } from "../../../../../src/runs/inspection/step-details.ts";
import { Icon } from "../../elements/icons.tsx";
import { useTexts } from "../../texts/language.ts";
import { valuesText } from "./values-text.ts";

const MAX_VALUES = 20;

export function Conditions({ conditions }: { readonly conditions: readonly StepCondition[] }) {
  const { run: texts, canvas } = useTexts();
  if (conditions.length === 0) return null;
  return (
    <section className="conditions" aria-label={texts.conditions}>
      <ol>
        {conditions.map((condition) => (
          <li
            key={`${condition.kind} ${condition.name ?? ""} ${condition.expression ?? ""}`}
            className={condition.result}
          >
            <Icon name={condition.taken ? "check" : "minus"} size={14} />
            <div>
              <p>
                <strong>
                  <bdi>{nameOf(condition)}</bdi>:
                </strong>{" "}
                <span className="result">{texts.results[condition.result]}</span>{" "}
                {condition.expression === null ? null : <code dir="ltr">{condition.expression}</code>}
              </p>
              {condition.values.length === 0 ? null : (
                <p className="values">
                  <code dir="ltr">{valuesText(condition.values, MAX_VALUES)}</code>
                </p>
              )}
              {condition.error === undefined ? null : <p className="condition-error">{condition.error}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );

  function nameOf({ kind, name }: StepCondition): string {
    if (kind === "else") return canvas.else;
    if (kind === "catch") return canvas.onError;
    return name ?? texts.conditionKinds[kind];
  }
}
