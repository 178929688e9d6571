/** Where a step leads, and how an editor shows it: `destinations`, `input_connected`, `display`, `position` and `size`. */
import type { FieldProblem } from "../../elements/fields/field-note.tsx";
import { useTexts } from "../../texts/language.ts";
import { StepKeysField } from "../controls/list-fields.tsx";
import { ChoiceField, NumberField, SwitchField } from "../controls/plain-fields.tsx";
import { type KindProps, worstAt } from "../kind-props.ts";
import { withField } from "../step-change.ts";
import { Section } from "./section.tsx";

const DISPLAYS = ["expanded", "collapsed", "minimal"] as const;

export function NextSection({ step, onChange, problemAt }: KindProps) {
  const { steps: texts } = useTexts();
  const problem = worstAt(problemAt, ["/destinations", "/input_connected"]);
  const isUsed = step.destinations !== undefined || step.input_connected !== undefined;
  return (
    <Section title={texts.next} isOpen={isUsed} problem={problem}>
      <StepKeysField
        way={{ kind: "next" }}
        label={texts.destinations}
        hint={texts.destinationsHint}
        keys={step.destinations ?? []}
        error={problemAt("/destinations")}
        onChange={(keys) => onChange(withField(step, "destinations", keys.length === 0 ? undefined : keys))}
      />
      <SwitchField
        label={texts.inputConnected}
        hint={texts.inputConnectedHint}
        isOn={step.input_connected === true}
        error={problemAt("/input_connected")}
        onChange={(isOn) => onChange(withField(step, "input_connected", isOn ? true : undefined))}
      />
    </Section>
  );
}

export function LookSection({ step, onChange, problemAt }: KindProps) {
  const { steps: texts } = useTexts();
  const problem = worstAt(problemAt, ["/display", "/position", "/size"]);
  return (
    <Section title={texts.look} isOpen={false} problem={problem}>
      <ChoiceField
        label={texts.display}
        value={step.display}
        none={texts.none}
        error={problemAt("/display")}
        options={DISPLAYS.map((value) => ({ value, label: texts.displays[value] }))}
        onChange={(value) =>
          onChange(
            withField(
              step,
              "display",
              DISPLAYS.find((one) => one === value),
            ),
          )
        }
      />
      <PairField
        labels={[texts.width, texts.height]}
        pair={step.size}
        error={problemAt("/size")}
        onChange={(size) => onChange(withField(step, "size", size))}
        otherwise={[240, 100]}
      />
      <PairField
        labels={[texts.left, texts.top]}
        pair={step.position}
        error={problemAt("/position")}
        onChange={(position) => onChange(withField(step, "position", position))}
        otherwise={[0, 0]}
      />
    </Section>
  );
}

interface PairFieldProps {
  readonly labels: readonly [string, string];
  readonly pair: readonly [number, number] | undefined;
  /** What stands for the other number when one is written first. */
  readonly otherwise: readonly [number, number];
  readonly error: FieldProblem | null;
  readonly onChange: (pair: [number, number] | undefined) => void;
}

/** Both numbers or none. */
function PairField({ labels, pair, otherwise, error, onChange }: PairFieldProps) {
  const [first, second] = pair ?? otherwise;
  return (
    <div className="field-grid">
      <NumberField
        label={labels[0]}
        value={pair?.[0]}
        error={error}
        onChange={(value) => onChange(value === undefined ? undefined : [value, second])}
      />
      <NumberField
        label={labels[1]}
        value={pair?.[1]}
        onChange={(value) => onChange(value === undefined ? undefined : [first, value])}
      />
    </div>
  );
}
