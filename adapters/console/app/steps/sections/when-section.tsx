/** When a step runs, and how often: `conditional`, `loop` with `loop_delay`, and `for_each`. */
import type { ExecutedStep, Step } from "../../../../../src/workflows/step.ts";
import { ExpressionEditor } from "../../expressions/expression-editor.tsx";
import { LabelledField } from "../../expressions/labelled-field.tsx";
import { useTexts } from "../../texts/language.ts";
import { ChoiceField, NumberField } from "../controls/plain-fields.tsx";
import { type KindProps, worstAt } from "../kind-props.ts";
import { withField } from "../step-change.ts";
import { Section } from "./section.tsx";

export const isExecuted = (step: Step): step is ExecutedStep =>
  step.type !== "note" && step.type !== "input" && step.type !== "branch";

export function WhenSection({ step, onChange, problemAt }: KindProps) {
  const { steps: texts } = useTexts();
  const problem = worstAt(problemAt, ["/conditional", "/loop", "/loop_delay", "/for_each"]);
  const isUsed =
    step.conditional !== undefined || step.loop !== undefined || (isExecuted(step) && step.for_each !== undefined);
  return (
    <Section title={texts.when} isOpen={isUsed} problem={problem}>
      <LabelledField label={texts.onlyIf} hint={texts.onlyIfHint} error={problemAt("/conditional")} isOptional={true}>
        {({ description }) => (
          <ExpressionEditor
            label={texts.onlyIf}
            description={description}
            syntax="expression"
            place={step.loop === undefined ? "anywhere" : "loop"}
            value={step.conditional ?? ""}
            error={problemAt("/conditional")}
            placeholder="input.amount > 100"
            onChange={(value) => onChange(withField(step, "conditional", value === "" ? undefined : value))}
          />
        )}
      </LabelledField>
      {isExecuted(step) ? (
        <Repetition step={step} onChange={onChange} problemAt={problemAt} />
      ) : (
        <Loop {...{ step, onChange, problemAt }} />
      )}
    </Section>
  );
}

type Repeats = "once" | "loop" | "for_each";

function Repetition({ step, onChange, problemAt }: KindProps<ExecutedStep>) {
  const { steps: texts } = useTexts();
  const repeats: Repeats = step.for_each !== undefined ? "for_each" : step.loop !== undefined ? "loop" : "once";

  function choose(next: string | undefined): void {
    const { loop: _loop, loop_delay: _delay, for_each: _items, ...once } = step;
    if (next === "loop") onChange({ ...once, loop: "" });
    else if (next === "for_each") onChange({ ...once, for_each: { items: "" } });
    else onChange(once);
  }

  return (
    <>
      <ChoiceField
        label={texts.repetition}
        value={repeats}
        options={[
          { value: "once", label: texts.runsOnce },
          { value: "loop", label: texts.repeatUntil },
          { value: "for_each", label: texts.forEach },
        ]}
        onChange={choose}
      />
      {step.loop === undefined ? null : (
        <>
          <Loop step={step} onChange={onChange} problemAt={problemAt} />
          <NumberField
            label={texts.loopDelay}
            unit="s"
            value={step.loop_delay}
            error={problemAt("/loop_delay")}
            onChange={(value) => onChange(withField(step, "loop_delay", value))}
          />
        </>
      )}
      {step.for_each === undefined ? null : <ForEachFields step={step} onChange={onChange} problemAt={problemAt} />}
    </>
  );
}

/** For types without `for_each`, whether there is a loop is what the text says. */
function Loop<One extends Step>({ step, onChange, problemAt }: KindProps<One>) {
  const { steps: texts } = useTexts();
  return (
    <LabelledField
      label={texts.repeatUntil}
      hint={texts.loopHint}
      error={problemAt("/loop")}
      isOptional={!isExecuted(step)}
    >
      {({ description }) => (
        <ExpressionEditor
          label={texts.repeatUntil}
          description={description}
          syntax="expression"
          place="loop"
          value={step.loop ?? ""}
          error={problemAt("/loop")}
          placeholder="output.done || iteration >= 10"
          onChange={(value) => onChange(withField(step, "loop", value === "" && !isExecuted(step) ? undefined : value))}
        />
      )}
    </LabelledField>
  );
}

function ForEachFields({ step, onChange, problemAt }: KindProps<ExecutedStep>) {
  const { steps: texts } = useTexts();
  const { for_each: each } = step;
  if (each === undefined) return null;
  const change = (next: typeof each) => onChange(withField(step, "for_each", next));
  return (
    <>
      <LabelledField label={texts.items} hint={texts.itemsHint} error={problemAt("/for_each/items")}>
        {({ description }) => (
          <ExpressionEditor
            label={texts.items}
            description={description}
            syntax="either"
            place="anywhere"
            value={each.items}
            error={problemAt("/for_each/items")}
            placeholder="input.orders"
            onChange={(items) => change({ ...each, items })}
          />
        )}
      </LabelledField>
      <NumberField
        label={texts.concurrency}
        hint={texts.concurrencyHint}
        placeholder="1"
        value={each.concurrency}
        error={problemAt("/for_each/concurrency")}
        onChange={(value) => change(withField(each, "concurrency", value))}
      />
      <ChoiceField
        label={texts.itemFails}
        value={each.on_error}
        none={texts.byDefault(texts.itemsFail)}
        error={problemAt("/for_each/on_error")}
        options={[
          { value: "fail", label: texts.itemsFail },
          { value: "continue", label: texts.itemsContinue },
        ]}
        onChange={(value) =>
          change(withField(each, "on_error", value === "fail" || value === "continue" ? value : undefined))
        }
      />
    </>
  );
}
