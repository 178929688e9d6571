/** One step as JSON. */
import { useEffect, useState } from "react";
import * as v from "valibot";
import { pointer } from "../../../../../src/json.ts";
import { Step } from "../../../../../src/workflows/step.ts";
import { CodeEditor } from "../../code-editor/code-editor.tsx";
import { useTexts } from "../../texts/language.ts";
import { isSameJson } from "../draft/same-json.ts";
import { rangeOf } from "../json/locate.ts";

interface StepJsonProps {
  readonly step: Step;
  readonly problems: readonly { readonly pointer: string; readonly message: string }[];
  readonly isReadOnly: boolean;
  readonly onChange: (step: Step) => void;
}

type ReadStep = { readonly step: Step } | { readonly problem: string; readonly from?: number; readonly to?: number };

/** The key is changed by renaming, which also changes what refers to it. */
function textOf({ key: _, ...others }: Step): string {
  return JSON.stringify(others, null, 2);
}

function readStep(text: string, key: string): ReadStep {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  if (typeof value !== "object" || value === null) return { problem: "{}" };
  const read = v.safeParse(Step, { ...value, key });
  if (read.success) return { step: read.output };
  const [issue] = read.issues;
  const place = pointer(issue.path?.map((one) => (typeof one.key === "number" ? one.key : String(one.key))) ?? []);
  return { problem: `${place} ${issue.message}`.trim(), ...rangeOf(text, place) };
}

export function StepJson({ step, problems, isReadOnly, onChange }: StepJsonProps) {
  const { editor: texts } = useTexts();
  const [text, setText] = useState(() => textOf(step));
  const read = readStep(text, step.key);
  const isValid = "step" in read;

  // What was changed elsewhere replaces the text, unless somebody is in the middle of typing it.
  useEffect(() => {
    setText((before) => {
      const known = readStep(before, step.key);
      return !("step" in known) || isSameJson(known.step, step) ? before : textOf(step);
    });
  }, [step]);

  return (
    <div className="step-json">
      <CodeEditor
        language="json"
        label={texts.stepJsonLabel(step.key)}
        value={text}
        isReadOnly={isReadOnly}
        problems={
          isValid
            ? problems.map((problem) => ({ message: problem.message, ...rangeOf(text, problem.pointer) }))
            : [{ message: read.problem, ...("from" in read ? { from: read.from, to: read.to } : undefined) }]
        }
        onChange={(next) => {
          setText(next);
          const found = readStep(next, step.key);
          if ("step" in found) onChange(found.step);
        }}
      />
      {isValid ? null : (
        <p className="field-error" role="status">
          {texts.stepJsonInvalid} {read.problem}
        </p>
      )}
    </div>
  );
}
