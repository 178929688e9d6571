/** Input and output of the run, where no step is chosen. */
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { useShownRun } from "../run-context.ts";
import { StepValue } from "../values/step-value.tsx";

export function RunValues() {
  const { run: texts } = useTexts();
  const { appId, live } = useShownRun();
  const { run } = live;
  return (
    <div className="run-values">
      <p className="hint">{texts.noStep}</p>
      <h2>{texts.runInput}</h2>
      <StepValue
        appId={appId}
        value={run.input}
        preview={undefined}
        bytes={run.input_bytes}
        path="input"
        name={`${run.id}-input`}
        onLoad={() => client.runs.get(appId, run.id).then(({ input }) => ({ value: input }))}
      />
      {run.status === "succeeded" ? (
        <>
          <h2>{texts.runOutput}</h2>
          <StepValue
            appId={appId}
            key={run.finished_at}
            value={run.output}
            preview={undefined}
            bytes={run.output_bytes}
            name={`${run.id}-output`}
            onLoad={() => client.runs.get(appId, run.id).then(({ output }) => ({ value: output }))}
          />
        </>
      ) : null}
    </div>
  );
}
