/** Says how a run goes to screen readers: at most one sentence in five seconds, and failures at once. */
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
  const turn = useTurn(hasEnded(run.status));
  const said = useSaidSlowly(sentence, turn);
  const known = useRef(failure);
  return (
    <>
      <p className="visually-hidden" aria-live="polite">
        <span key={said.turn}>{said.sentence}</span>
      </p>
      <p className="visually-hidden" aria-live="assertive">
        {failed === undefined || failure === known.current ? null : (
          <span key={failure}>{texts.run.saysFailed(failed.key)}</span>
        )}
      </p>
    </>
  );
}

/** How often a retry has opened the run again. */
function useTurn(isEnded: boolean): number {
  const before = useRef({ isEnded, turn: 0 });
  const { turn } = before.current;
  const isReopened = before.current.isEnded && !isEnded;
  before.current = { isEnded, turn: isReopened ? turn + 1 : turn };
  return before.current.turn;
}

interface Said {
  readonly sentence: string;
  readonly turn: number;
}

/**
 * The sentence of the moment, renewed at most each five seconds. Nothing is said of what was there at first, but each retry
 * has an end of its own, also if it is the same.
 */
function useSaidSlowly(sentence: string, turn: number): Said {
  const [said, setSaid] = useState<Said>({ sentence: "", turn });
  const current = useRef({ sentence, turn });
  const before = useRef({ sentence, turn });
  current.current = { sentence, turn };
  useEffect(() => {
    const timer = setInterval(() => {
      const { sentence, turn } = current.current;
      if (sentence === before.current.sentence && turn === before.current.turn) return;
      before.current = current.current;
      setSaid(current.current);
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return said;
}
