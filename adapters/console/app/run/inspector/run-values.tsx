/** Input and output of the run, where no step is chosen. */
import { useTexts } from "../../texts/language.ts";
import { useShownRun } from "../run-context.ts";
import { ValueView } from "./value-view.tsx";

export function RunValues() {
  const { run: texts } = useTexts();
  const { run } = useShownRun().live;
  return (
    <div className="run-values">
      <p className="hint">{texts.noStep}</p>
      <h2>{texts.runInput}</h2>
      <ValueView value={run.input} path="input" name={`${run.id}-input`} />
      {run.status === "succeeded" ? (
        <>
          <h2>{texts.runOutput}</h2>
          <ValueView value={run.output} name={`${run.id}-output`} />
        </>
      ) : null}
    </div>
  );
}
