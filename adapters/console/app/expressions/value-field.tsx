/**
 * A value that a step is given: plain, an expression, or filled in by a model. One switch, one field, and what it gives for
 * the chosen run below.
 */
import { type ReactNode, type RefObject, useId, useRef, useState } from "react";
import { hasTemplate } from "../../../../src/engine/expressions/template.ts";
import type { JsonValue } from "../../../../src/json.ts";
import type { FieldProblem } from "../elements/fields/field-note.tsx";
import { useTexts } from "../texts/language.ts";
import { ExpressionEditor } from "./expression-editor.tsx";
import { LabelledField } from "./labelled-field.tsx";
import { MissingBraces, useMissingBraces } from "./missing-braces.tsx";
import { autoText, autoWish, type Mode, modeOf } from "./modes.ts";

export interface PlainControl {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue | undefined) => void;
}

export interface ValueFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isOptional?: boolean;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue | undefined) => void;
  /** What the server says is wrong. */
  readonly error?: FieldProblem | null;
  /** @default both */
  readonly allowedModes?: readonly ("value" | "expression")[] | undefined;
  /** Whether a model can fill in the field. @default false */
  readonly hasAuto?: boolean;
  /** Whether expressions may have several lines. @default false */
  readonly isLong?: boolean;
  readonly placeholder?: string | undefined;
  /** The control for a plain value. @default a text */
  readonly plain?: (control: PlainControl) => ReactNode;
}

export function ValueField(props: ValueFieldProps) {
  const { value, onChange, error = null, allowedModes = ["value", "expression"], hasAuto = false } = props;
  const [wanted, setWanted] = useState<Mode | null>(null);
  const before = useRef(new Map<Mode, JsonValue | undefined>());
  const caret = useRef<number | null>(null);
  const braces = useMissingBraces(value, undefined);
  const bracesId = useId();
  const fixed = modeOf(value);
  // A text with braces is always an expression; an empty one is what somebody has chosen.
  const mode =
    (fixed === "auto" && wanted === "expression" ? wanted : fixed) ??
    wanted ??
    (allowedModes.includes("value") || typeof value !== "string" ? "value" : "expression");
  const modes: readonly Mode[] = [...allowedModes, ...(hasAuto ? (["auto"] as const) : [])];

  function choose(next: Mode): void {
    if (next === mode) return;
    before.current.set(mode, value);
    setWanted(next);
    const kept = before.current.get(next);
    if (kept !== undefined) onChange(kept);
    else if (next === "auto") onChange(autoText(""));
    else if (next === "expression") onChange(expressionOf(value));
    else if (fixed !== null) onChange(undefined);
  }

  return (
    <LabelledField
      label={props.label}
      hint={props.hint}
      error={error}
      isOptional={props.isOptional === true}
      aside={modes.length > 1 ? <ModeSwitch label={props.label} modes={modes} mode={mode} onChoose={choose} /> : null}
    >
      {(control) =>
        mode === "expression" ? (
          <ExpressionEditor
            label={props.label}
            description={control.description}
            value={typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)}
            onChange={(next) => {
              // Whoever deletes the braces writes others.
              setWanted("expression");
              onChange(next);
            }}
            syntax="template"
            caret={caret}
            isSingleLine={props.isLong !== true}
            placeholder={props.placeholder ?? "{{ input. }}"}
            error={error}
            hasAuto={hasAuto}
          />
        ) : mode === "auto" ? (
          <AutoControl label={props.label} value={value} onChange={onChange} />
        ) : (
          <>
            {(props.plain ?? textControl(props.isLong === true, props.placeholder, caret))({
              ...control,
              describedBy: braces === null ? control.describedBy : `${bracesId} ${control.describedBy ?? ""}`.trim(),
              value,
              onChange,
            })}
            {braces === null ? null : (
              <MissingBraces
                id={bracesId}
                text={braces}
                onWrite={(text) => {
                  caret.current = text.length;
                  onChange(text);
                }}
              />
            )}
          </>
        )
      }
    </LabelledField>
  );
}

/** A plain value as the beginning of an expression. */
function expressionOf(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : `{{ ${JSON.stringify(value)} }}`;
}

/** @param caret Where the typing is that makes the text an expression. */
const textControl =
  (isLong: boolean, placeholder: string | undefined, caret: RefObject<number | null>) =>
  ({ id, describedBy, isInvalid, value, onChange }: PlainControl) => {
    const attributes = {
      ...{ id, placeholder, "aria-describedby": describedBy, "aria-invalid": isInvalid },
      value: typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value),
      spellCheck: false,
    };
    const type = (target: HTMLInputElement | HTMLTextAreaElement) => {
      caret.current = hasTemplate(target.value) ? target.selectionEnd : null;
      onChange(target.value);
    };
    return isLong ? (
      <textarea {...attributes} onChange={({ target }) => type(target)} />
    ) : (
      <input {...attributes} onChange={({ target }) => type(target)} />
    );
  };

interface ModeSwitchProps {
  readonly label: string;
  readonly modes: readonly Mode[];
  readonly mode: Mode;
  readonly onChoose: (mode: Mode) => void;
}

const FACES: Readonly<Record<Mode, string>> = { value: "Aa", expression: "fx", auto: "✦" };

function ModeSwitch({ label, modes, mode, onChoose }: ModeSwitchProps) {
  const { expressions: texts } = useTexts();
  return (
    <span className="mode-switch" role="group" aria-label={texts.modeOf(label)}>
      {modes.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === mode}
          title={texts.modes[one]}
          onClick={() => onChoose(one)}
        >
          <span aria-hidden="true">{FACES[one]}</span> <span className="visually-hidden">{texts.modes[one]}</span>
        </button>
      ))}
    </span>
  );
}

interface AutoControlProps {
  readonly label: string;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: string) => void;
}

function AutoControl({ label, value, onChange }: AutoControlProps) {
  const { expressions: texts } = useTexts();
  const id = useId();
  return (
    <div className="auto-control">
      <label htmlFor={id} className="hint">
        {texts.autoWish}
      </label>
      <textarea
        id={id}
        aria-label={`${label}: ${texts.autoWish}`}
        value={autoWish(value) ?? ""}
        onChange={({ target }) => onChange(autoText(target.value))}
      />
    </div>
  );
}
