/** Runs one step of the draft alone, with the values of an earlier run, and shows what came of it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { JsonObject, JsonValue } from "../../../../../src/json.ts";
import type { Run } from "../../../../../src/runs/run.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import { Button } from "../../elements/controls/button.tsx";
import { useAction } from "../../elements/dialogs/use-action.ts";
import { Loaded, type Read } from "../../elements/loaded.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { useSurroundings, useVisibleSteps } from "../../expressions/surroundings-context.ts";
import { useFormPart } from "../../forms/parts/use-form-part.ts";
import { client, isServerError } from "../../server/client.ts";
import { useScopeRefusal } from "../../session/session-context.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { givenOf, testOf } from "./given-values.ts";
import { StepResult } from "./step-result.tsx";
import { TestValues } from "./test-values.tsx";

interface TestSectionProps {
  readonly step: Step;
  readonly workflowId: string;
  readonly onPin: ((output: JsonValue | undefined) => void) | undefined;
}

export const canTest = ({ type }: Step): boolean => type !== "note" && type !== "input";

/** Longer runs go on; their page shows them. */
const WAIT_MS = 120_000;

export function TestSection({ step, workflowId, onPin }: TestSectionProps) {
  const { steps: texts } = useTexts();
  const format = useFormat();
  const { app, run, definition } = useSurroundings();
  const { isBusy, run: start } = useAction();
  const visible = useVisibleSteps();
  const refusal = useScopeRefusal("runs:write");
  const queries = useQueryClient();
  const [givenSteps, setGivenSteps] = useState<JsonObject | null>(null);
  const [isOpen, setOpen] = useState(false);
  // Once they were seen, the values of the form are those of the test, whatever runs come.
  const [wasOpen, setWasOpen] = useState(false);
  const input = useFormPart(null);
  const whole = useWholeRun(run, wasOpen);
  const valuesIn = (one: Run | null) => givenOf(one, definition, visible);

  const test = useMutation({
    async mutationFn(typed: JsonObject | undefined): Promise<Run> {
      const values = valuesIn(run === null || isComplete(run) ? run : await client.runs.get(app.id, run.id));
      const { input, steps } = testOf({ input: typed ?? values.input, steps: givenSteps ?? values.steps });
      const started = await client.runs.testStep(app.id, workflowId, step.key, { input, steps });
      return client.runs.wait(app.id, started.id, { timeoutMs: WAIT_MS });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [app.id, "runs"] }),
    onError(error) {
      if (isServerError(error) && error.errors?.some(({ pointer }) => pointer.startsWith("/input/")) === true) {
        setOpen(true);
        setWasOpen(true);
      }
    },
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
          isBusy={isBusy}
          refusal={refusal}
          onClick={() => {
            const typed = input.shown.current === null ? undefined : input.read();
            if (typed !== null) void start(() => test.mutateAsync(typed));
          }}
        >
          {run === null || wasOpen
            ? texts.test
            : texts.testWith(format.short(run.created_at).replaceAll(/\s/g, "\u00a0"))}
        </Button>
      </div>
      <details
        open={isOpen}
        onToggle={({ currentTarget }) => {
          setOpen(currentTarget.open);
          if (currentTarget.open) setWasOpen(true);
        }}
      >
        <summary>{texts.testValues}</summary>
        {wasOpen ? (
          <Loaded query={whole}>
            {(one) => (
              <TestValues
                first={valuesIn(one)}
                input={input}
                steps={givenSteps}
                onSteps={setGivenSteps}
                error={test.error}
              />
            )}
          </Loaded>
        ) : null}
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

/** The run with its long values. They are only read where they are shown. */
function useWholeRun(run: Run | null, isShown: boolean): Read<Run | null> {
  const isWhole = run === null || isComplete(run);
  const whole = useQuery({
    queryKey: [run?.app_id, "runs", run?.id, "whole"],
    queryFn: ({ signal }): Promise<Run | null> => client.with({ signal }).runs.get(run?.app_id ?? "", run?.id ?? ""),
    enabled: isShown && !isWhole,
    gcTime: 0,
  });
  return isWhole ? { ...whole, data: run, error: null } : whole;
}
