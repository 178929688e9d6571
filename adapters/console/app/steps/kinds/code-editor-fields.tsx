/** The source of a code step, with what it sees as completion, and the schema of what it returns. */
import { useMemo, useRef } from "react";
import { isRecord } from "../../../../../src/json.ts";
import type { CodeStep } from "../../../../../src/workflows/step.ts";
import { CodeEditor, type EditorHandle } from "../../code-editor/code-editor.tsx";
import { isError, messageOf } from "../../elements/fields/field-note.tsx";
import { createComplete } from "../../expressions/complete.ts";
import { LabelledField } from "../../expressions/labelled-field.tsx";
import { useOwnPlace, useVariables } from "../../expressions/surroundings-context.ts";
import { ValuePicker } from "../../expressions/value-picker.tsx";
import { useTexts } from "../../texts/language.ts";
import { JsonField } from "../controls/json-field.tsx";
import type { KindProps } from "../kind-props.ts";
import { withField } from "../step-change.ts";

export function CodeFields({ step, onChange, problemAt }: KindProps<CodeStep>) {
  const { steps: texts, expressions } = useTexts();
  const variables = useVariables(useOwnPlace());
  const editor = useRef<EditorHandle>(null);
  const error = problemAt("/code");
  const message = error === null ? null : messageOf(error);
  const isWarning = !isError(error);
  const problems = useMemo(
    () => (message === null ? [] : [{ ...markOf(message, step.code), isWarning }]),
    [message, isWarning, step.code],
  );
  const complete = useMemo(
    () => createComplete({ syntax: "code", variables, descriptions: expressions.variables, hasAuto: false }),
    [variables, expressions],
  );
  return (
    <>
      <LabelledField
        label={texts.code}
        hint={texts.codeHint}
        error={error}
        aside={<ValuePicker variables={variables} onPick={(path) => editor.current?.insert(path)} />}
      >
        {({ description }) => (
          <CodeEditor
            ref={editor}
            language="typescript"
            label={texts.code}
            description={[description, message].filter(Boolean).join(" ")}
            value={step.code}
            problems={problems}
            complete={complete}
            placeholder="return input.amount * 2;"
            onChange={(code) => onChange({ ...step, code })}
          />
        )}
      </LabelledField>
      <JsonField
        label={texts.outputSchema}
        hint={texts.outputSchemaHint}
        type="object"
        value={step.output}
        error={problemAt("/output")}
        onChange={(output) => onChange(withField(step, "output", isRecord(output) ? output : undefined))}
      />
    </>
  );
}

/** The sandbox names the line. */
function markOf(message: string, code: string) {
  const line = Number(/\bline (\d+)/.exec(message)?.[1] ?? 0);
  if (line === 0) return { message };
  const lines = code.split("\n");
  const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return { message, from, to: from + Math.max(1, lines[line - 1]?.length ?? 0) };
}
