/** The values of the test of a step: the form that a run has, and the outputs of the steps before as JSON. */
import { useEffect } from "react";
import { inputModel } from "../../../../../src/forms/model/input-model.ts";
import { isJsonObject, type JsonObject } from "../../../../../src/json.ts";
import { useStable } from "../../elements/use-stable.ts";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { FormPart } from "../../forms/parts/form-part.tsx";
import type { FormPartState } from "../../forms/parts/use-form-part.ts";
import { useTexts } from "../../texts/language.ts";
import { JsonField } from "../controls/json-field.tsx";
import { type GivenValues, inputOfRuns } from "./given-values.ts";

interface TestValuesProps {
  /** What the test is given unless a person changes it. */
  readonly first: GivenValues;
  readonly input: FormPartState;
  /** Null while they are not changed. */
  readonly steps: JsonObject | null;
  readonly onSteps: (steps: JsonObject | null) => void;
  /** What the server said of the newest test. */
  readonly error: Error | null;
}

export function TestValues({ first, input, steps, onSteps, error }: TestValuesProps) {
  const { steps: texts } = useTexts();
  const { app, definition } = useSurroundings();
  const fields = inputOfRuns(definition);
  const { input_default: defaults, input_options: options } = definition;
  const refuse = useStable(input.refuse);
  // Also where the error is older than the form, which opens for it.
  useEffect(() => {
    if (error !== null) refuse(error, "/input");
  }, [error, refuse]);
  if (input.values.current === null) input.values.current = first.input;
  return (
    <div className="nested">
      <p className="hint">{texts.testValuesHint}</p>
      {Object.keys(fields).length === 0 ? null : (
        <FormPart
          key={JSON.stringify(fields)}
          part={input}
          makeModel={() => inputModel(fields, { defaults, options })}
          appId={app.id}
          label="input"
        />
      )}
      {Object.keys(first.steps).length === 0 ? null : (
        <JsonField
          label="steps"
          type="object"
          isOptional={false}
          value={steps ?? first.steps}
          onChange={(next) => onSteps(isJsonObject(next) ? next : null)}
        />
      )}
    </div>
  );
}
