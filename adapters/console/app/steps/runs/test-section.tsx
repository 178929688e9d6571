/** Runs one step of the draft alone, with the values of an earlier run, and shows what came of it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { JsonObject, JsonValue } from "../../../../../src/json.ts";
import { isJsonObject, isRecord, ownField } from "../../../../../src/json.ts";
import type { Run } from "../../../../../src/runs/run.ts";
import { definitionAt, startOf } from "../../../../../src/workflows/start-step.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { useSurroundings, useVisibleSteps } from "../../expressions/surroundings-context.ts";
import { client } from "../../server/client.ts";
import { useMay } from "../../session/session-context.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { JsonField } from "../controls/json-field.tsx";
import { sampleInput } from "./sample-input.ts";
import { StepResult } from "./step-result.tsx";

interface TestSectionProps {
  readonly step: Step;
  readonly workflowId: string;
  readonly onPin: ((output: JsonValue | undefined) => void) | undefined;
}

export const canTest = ({ type }: Step): boolean => type !== "note" && type !== "input";

/** Longer runs go on; their page shows them. */
const WAIT_MS = 120_000;

export function TestSection({ step, workflowId, onPin }: TestSectionProps) {
  const { steps: texts, general } = useTexts();
  const format = useFormat();
  const { app, run, definition } = useSurroundings();
  const visible = useVisibleSteps();
  const mayRun = useMay("runs:write");
  const queries = useQueryClient();
  const [given, setGiven] = useState<JsonObject | null>(null);
  const [isOpen, setOpen] = useState(false);
  const whole = useWholeRun(run, isOpen);
  const valuesIn = (one: Run | null) => givenOf(one, definition, visible);

  const test = useMutation({
    async mutationFn(): Promise<Run> {
      const values = given ?? valuesIn(run === null || isComplete(run) ? run : await client.runs.get(app.id, run.id));
      const { input, steps } = testOf(values);
      const started = await client.runs.testStep(app.id, workflowId, step.key, { input, steps });
      return client.runs.wait(app.id, started.id, { timeoutMs: WAIT_MS });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [app.id, "runs"] }),
  });
  const result = test.data?.steps.find(({ key }) => key === step.key);
  const answer = useRef<HTMLDivElement>(null);
  // The values above may fill the panel.
  useEffect(() => {
    if (test.isSuccess || test.isError) answer.current?.scrollIntoView({ block: "nearest" });
  }, [test.isSuccess, test.isError, test.submittedAt]);

  return (
    <section className="test-section" aria-label={texts.test}>
      <div className="field-actions">
        <Button
          kind="primary"
          icon="runs"
          isBusy={test.isPending}
          disabled={!mayRun}
          title={mayRun ? undefined : general.needsScope("runs:write")}
          onClick={() => test.mutate()}
        >
          {run === null ? texts.test : texts.testWith(format.short(run.created_at))}
        </Button>
      </div>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{texts.testValues}</summary>
        {whole === undefined ? (
          <Loading />
        ) : (
          <JsonField
            label={texts.testValues}
            hint={texts.testValuesHint}
            type="object"
            isOptional={false}
            value={given ?? valuesIn(whole)}
            onChange={(next) => setGiven(isRecord(next) ? next : null)}
          />
        )}
      </details>
      <div ref={answer}>
        {test.isError ? <ProblemNote error={test.error} /> : null}
        {test.data === undefined || result === undefined ? null : (
          <StepResult step={result} run={test.data} onPin={onPin} />
        )}
      </div>
    </section>
  );
}

/** Whether nothing was left out because it is long. */
const isComplete = ({ input_bytes, steps }: Run) =>
  input_bytes === undefined && steps.every(({ output_bytes }) => output_bytes === undefined);

/** The run with its long values; undefined until they are read, which is only done where they are shown. */
function useWholeRun(run: Run | null, isShown: boolean): Run | null | undefined {
  const isWhole = run === null || isComplete(run);
  const { data } = useQuery({
    queryKey: [run?.app_id, "runs", run?.id, "whole"],
    queryFn: ({ signal }) => client.with({ signal }).runs.get(run?.app_id ?? "", run?.id ?? ""),
    enabled: isShown && !isWhole,
    gcTime: 0,
  });
  return isWhole ? run : data;
}

/** The input and the outputs of an earlier run. Without one: values for the fields, and what is pinned. */
function givenOf(run: Run | null, definition: Definition, visible: ReadonlySet<string>): JsonObject {
  const { steps, pinned = {} } = definition;
  const keys = steps.filter(({ key, type }) => visible.has(key) && type !== "input").map(({ key }) => key);
  const outputOf = (key: string) =>
    run === null ? ownField(pinned, key) : run.steps.find((one) => one.key === key)?.output;
  const outputs = keys.map((key): [string, JsonValue] => [key, outputOf(key) ?? null]);
  const input = run === null ? sampleInput(definitionAt(definition, startOf(definition, undefined))) : run.input;
  return { input, steps: Object.fromEntries(outputs) };
}

function testOf({ input, steps }: JsonObject) {
  const outputs = Object.entries(isJsonObject(steps) ? steps : {}).map(([key, output]) => [key, { output }] as const);
  return { input: isJsonObject(input) ? input : {}, steps: Object.fromEntries(outputs) };
}
