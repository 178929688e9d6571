/** Says how a run goes to screen readers: at most one sentence in five seconds, and failures at once. */
import { useEffect, useRef, useState } from "react";
import type { Run } from "../../../../../src/runs/run.ts";
import { useTexts } from "../../texts/language.ts";
import { hasEnded } from "../has-ended.ts";

const INTERVAL_MS = 5_000;

export function Announcer({ run }: { readonly run: Run }) {
  const texts = useTexts();
  const ended = run.steps.filter(({ finished_at, status }) => finished_at !== null || status === "skipped").length;
  const failed = run.steps.filter(({ status }) => status === "failed").map(({ key }) => key);
  const sentence = hasEnded(run.status)
    ? texts.run.saysEnded(texts.statuses[run.status])
    : run.status === "waiting"
      ? texts.run.saysWaiting(run.steps.find(({ status }) => status === "waiting")?.key ?? "")
      : texts.run.saysProgress(ended, run.steps.length);
  const failure = failed.length === 0 ? "" : texts.run.saysFailed(failed.at(-1) ?? "");
  const said = useSaidSlowly(sentence);
  const isFirst = useRef(failure);
  return (
    <>
      <p className="visually-hidden" aria-live="polite">
        {said}
      </p>
      <p className="visually-hidden" aria-live="assertive">
        {failure === isFirst.current ? "" : failure}
      </p>
    </>
  );
}

/** The sentence of the moment, renewed at most each five seconds. Nothing is said of what was there at first. */
function useSaidSlowly(sentence: string): string {
  const [said, setSaid] = useState("");
  const current = useRef(sentence);
  const before = useRef(sentence);
  current.current = sentence;
  useEffect(() => {
    const timer = setInterval(() => {
      if (current.current === before.current) return;
      before.current = current.current;
      setSaid(current.current);
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return said;
}
