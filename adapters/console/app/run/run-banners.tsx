/** What a person should know of a run at once: why it failed, and what it waits for. */
import type { RunStep } from "../../../../src/runs/run-step.ts";
import { announce } from "../elements/announced.tsx";
import { Link } from "../routing/link.tsx";
import { useTexts } from "../texts/language.ts";
import { failureText } from "./failure-text.ts";
import { useShownRun } from "./run-context.ts";
import { waitsForPerson } from "./waterfall/bars.ts";

export function Failure() {
  const { run: texts } = useTexts();
  const { live, choose } = useShownRun();
  const { error } = live.run;
  if (error === null) return null;
  const { step } = error;
  const show = (key: string) => {
    choose(key, null, "error");
    announce(failureText(texts, live.run, { step: key, at: null }));
  };
  return (
    <div className={step === undefined ? "run-error" : "run-error of-step"}>
      <strong>{step === undefined ? error.code : texts.failedAt(step)}</strong>{" "}
      <bdi title={error.message}>{error.message}</bdi>
      {step === undefined ? null : (
        <button type="button" className="link-button" onClick={() => show(step)}>
          {texts.showError}
        </button>
      )}
    </div>
  );
}

/** Why a run waits: for a person, or until when by itself. */
export function useWait(): { readonly isForPerson: boolean; readonly until: string | undefined } {
  const { live, definition } = useShownRun();
  const waiting = live.run.steps.filter(({ status }) => status === "waiting");
  const isForPerson = (step: RunStep) => waitsForPerson(step, definition.byKey.get(step.key));
  const moments = waiting.filter((step) => !isForPerson(step)).flatMap(({ waits_until }) => waits_until ?? []);
  return { isForPerson: waiting.some(isForPerson), until: moments.toSorted()[0] };
}

/** The steps that wait for an answer, each with the way to its form. */
export function Waits() {
  const { run: texts } = useTexts();
  const { appId, live, definition } = useShownRun();
  const { id, steps } = live.run;
  return steps
    .filter((step) => step.status === "waiting" && waitsForPerson(step, definition.byKey.get(step.key)))
    .map(({ key }) => (
      <div key={key} className="run-waits">
        <strong>{texts.waitsAt(key)}</strong>
        <Link to={`/apps/${appId}/inbox/${id}/${encodeURIComponent(key)}`} current="none" className="button primary">
          {texts.answerIt}
        </Link>
      </div>
    ));
}
