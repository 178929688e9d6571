/** A field whose control may be an editor: its label, a switch beside it, its hint and what is wrong. */
import { type ReactNode, useId, useRef } from "react";
import { FieldNote, type FieldProblem, isError } from "../elements/fields/field-note.tsx";
import { useTexts } from "../texts/language.ts";
import "./expressions.css";

export interface LabelledControl {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  /** The hint, for controls that ids cannot describe. */
  readonly description: string | undefined;
}

interface LabelledFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: FieldProblem | null;
  readonly isOptional?: boolean;
  /** Beside the label. */
  readonly aside?: ReactNode;
  readonly children: (control: LabelledControl) => ReactNode;
}

export function LabelledField({ label, hint, error = null, isOptional = false, aside, children }: LabelledFieldProps) {
  const { general } = useTexts();
  const id = useId();
  const control = useRef<HTMLDivElement>(null);
  const [hintId, errorId] = [hint === undefined ? undefined : `${id}-hint`, error === null ? undefined : `${id}-error`];
  const describedBy = [errorId, hintId].filter((one) => one !== undefined).join(" ") || undefined;
  return (
    <div className="field labelled-field">
      <div className="field-head">
        <label htmlFor={id} onClick={() => focusEditor(control.current)}>
          {label}
          {isOptional ? <span className="optional"> ({general.optional})</span> : null}
        </label>
        {aside}
      </div>
      {hint === undefined ? null : (
        <div id={hintId} className="hint">
          {hint}
        </div>
      )}
      <div ref={control} className="field-control">
        {children({
          id,
          describedBy,
          isInvalid: isError(error),
          description: typeof hint === "string" ? hint : undefined,
        })}
      </div>
      <FieldNote id={errorId} problem={error} />
    </div>
  );
}

/** A label leads to an editor, too, although no id reaches into it. */
function focusEditor(control: HTMLElement | null): void {
  control?.querySelector<HTMLElement>(".code-editor-host")?.focus();
}
