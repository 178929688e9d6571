/** A control with its label, its hint and what is wrong with its value. */
import { type ReactNode, useId } from "react";
import { useTexts } from "../../texts/language.ts";
import { FieldNote, type FieldProblem, isError } from "./field-note.tsx";
import { useOwnValidity } from "./own-validity.ts";
import "./field.css";

/** What a control takes so that its label, hint and error belong to it. */
export interface ControlAttributes {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
  /** When a person leaves the control. */
  readonly onBlur?: (() => void) | undefined;
}

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: FieldProblem | null;
  readonly isOptional?: boolean;
  /** Whether the error is read out at once: for a form whose only field may have the focus already. @default false */
  readonly isAlert?: boolean;
  readonly children: (attributes: ControlAttributes) => ReactNode;
}

export function Field(props: FieldProps) {
  const { label, hint, error: given = null, isOptional = false, isAlert = false, children } = props;
  const { general } = useTexts();
  const own = useOwnValidity();
  const error = given ?? own.message;
  const id = useId();
  const hintId = hint === undefined || hint === null ? undefined : `${id}-hint`;
  const errorId = error === null ? undefined : `${id}-error`;
  const describedBy = [errorId, hintId].filter((one) => one !== undefined).join(" ") || undefined;
  return (
    <div className="field" {...own.handlers}>
      <label htmlFor={id}>
        {label}
        {isOptional ? <span className="optional"> ({general.optional})</span> : null}
      </label>
      {hintId === undefined ? null : (
        <div id={hintId} className="hint">
          {hint}
        </div>
      )}
      {children({ id, "aria-describedby": describedBy, "aria-invalid": isError(error) })}
      <FieldNote id={errorId} problem={error} isAlert={isAlert} />
    </div>
  );
}
