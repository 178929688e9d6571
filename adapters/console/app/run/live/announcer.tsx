/** Says how a run goes to screen readers: at most one sentence in five seconds, and failures and the end at once. */
import { useEffect, useRef, useState } from "react";
import type { Run } from "../../../../../src/runs/run.ts";
import { useTexts } from "../../texts/language.ts";
import { hasEnded } from "../has-ended.ts";

const INTERVAL_MS = 5_000;

export function Announcer({ run }: { readonly run: Run }) {
  const texts = useTexts();
  const steps = run.steps.filter(({ type }) => type !== "note");
  const ended = steps.filter(({ finished_at, status }) => finished_at !== null || status === "skipped").length;
  const failed = steps.findLast(({ status }) => status === "failed");
  const failure = failed === undefined ? "" : `${failed.key} ${failed.finished_at}`;
  const sentence = hasEnded(run.status)
    ? texts.run.saysEnded(texts.statuses[run.status])
    : run.status === "waiting"
      ? texts.run.saysWaiting(run.steps.find(({ status }) => status === "waiting")?.key ?? "")
      : texts.run.saysProgress(ended, steps.length);
  const said = useSaidSlowly(sentence, run.finished_at);
  const known = useRef(failure);
  return (
    <>
      <p className="visually-hidden" aria-live="polite">
        <span key={said.end}>{said.sentence}</span>
      </p>
      <p className="visually-hidden" aria-live="assertive">
        {failed === undefined || failure === known.current ? null : (
          <span key={failure}>{texts.run.saysFailed(failed.key)}</span>
        )}
      </p>
    </>
  );
}

interface Said {
  readonly sentence: string;
  /** When the run ended: each retry has an end of its own, also if it is the same. */
  readonly end: string | null;
}

/** The sentence of the moment, renewed at most each five seconds until the end. Nothing is said of what was there at first. */
function useSaidSlowly(sentence: string, end: string | null): Said {
  const [said, setSaid] = useState<Said>({ sentence: "", end });
  const current = useRef<Said>({ sentence, end });
  const before = useRef(current.current);
  current.current = { sentence, end };
  useEffect(() => {
    const timer = setInterval(() => {
      const { sentence, end } = before.current;
      before.current = current.current;
      if (sentence !== current.current.sentence || end !== current.current.end) setSaid(current.current);
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (end !== null) setSaid((before) => (before.end === end ? before : current.current));
  }, [end]);
  return said;
}
