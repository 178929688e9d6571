/** Fields with several texts: one a line, or steps of the workflow. */
import { type ReactNode, useContext, useEffect, useRef, useState } from "react";
import type { Way } from "../../editor/draft/ways.ts";
import { announce } from "../../elements/announced.tsx";
import { Button, IconButton } from "../../elements/controls/button.tsx";
import type { FieldProblem } from "../../elements/fields/field-note.tsx";
import { LabelledField } from "../../expressions/labelled-field.tsx";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { useTexts } from "../../texts/language.ts";
import { NextStepsContext } from "../next-steps-context.ts";
import { removed } from "../step-change.ts";

interface LinesFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: FieldProblem | null;
  readonly values: readonly string[] | undefined;
  /** Called with undefined for an empty list. */
  readonly onChange: (values: string[] | undefined) => void;
  readonly placeholder?: string;
}

const linesIn = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

export function LinesField({ label, hint, error = null, values = [], onChange, placeholder }: LinesFieldProps) {
  const { steps: texts } = useTexts();
  const joined = values.join("\n");
  const [text, setText] = useState(joined);
  useEffect(() => {
    setText((shown) => (linesIn(shown).join("\n") === joined ? shown : joined));
  }, [joined]);
  return (
    <LabelledField label={label} hint={hint ?? texts.onePerLine} error={error} isOptional={true}>
      {({ id, describedBy, isInvalid }) => (
        <textarea
          {...{ id, value: text, placeholder, "aria-describedby": describedBy, "aria-invalid": isInvalid }}
          spellCheck={false}
          onChange={({ target }) => {
            setText(target.value);
            const lines = linesIn(target.value);
            onChange(lines.length === 0 ? undefined : lines);
          }}
        />
      )}
    </LabelledField>
  );
}

interface StepKeysFieldProps {
  /** By which the step leads to the others. */
  readonly way: Way;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: FieldProblem | null;
  readonly keys: readonly string[];
  readonly onChange: (keys: string[]) => void;
}

/** Steps that come next. */
export function StepKeysField({ way, label, hint, error = null, keys, onChange }: StepKeysFieldProps) {
  const {
    steps: texts,
    editor: { said },
  } = useTexts();
  const { definition } = useSurroundings();
  const next = useContext(NextStepsContext);
  const actions = useRef<HTMLDivElement>(null);
  // A button that has the focus moves down when a step is added above it.
  useEffect(() => {
    if (keys.length > 0 && actions.current?.contains(document.activeElement) === true)
      document.activeElement?.scrollIntoView({ block: "nearest" });
  }, [keys.length]);
  return (
    <LabelledField label={label} hint={hint} error={error}>
      {({ describedBy }) => (
        <div className="step-keys" role="group" aria-label={label}>
          {keys.length === 0 ? null : (
            <ul>
              {keys.map((key, index) => (
                <li key={key} data-unknown={!definition.steps.some((one) => one.key === key)}>
                  <code>{key}</code>
                  <IconButton
                    icon="close"
                    label={texts.removeNamed(key)}
                    onClick={() => {
                      onChange(removed(keys, index));
                      announce(said.disconnected(key));
                    }}
                  />
                </li>
              ))}
            </ul>
          )}
          {next === null ? null : (
            <div ref={actions} className="field-actions">
              <Button icon="connect" aria-describedby={describedBy} onClick={() => next.connect(way)}>
                {texts.chooseStep}
              </Button>
              <Button kind="quiet" icon="plus" onClick={() => next.add(way)}>
                {texts.newStep}
              </Button>
            </div>
          )}
        </div>
      )}
    </LabelledField>
  );
}
