/** The tries of the steps of a run: those that are stored, and those that the page has seen. */
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSeen } from "../live/attempts-seen.ts";
import { openTry } from "../open-try.ts";
import { useShownRun } from "../run-context.ts";
import { stepDetailsQuery } from "../step-details.ts";
import type { Try } from "./bars.ts";

/** Steps whose tries are read. The others show how many there were. */
const MAX_STEPS = 30;

/** @param now Milliseconds since 1970: where a try that goes on ends. */
export function useTries(now: number): ReadonlyMap<string, readonly Try[]> {
  const { appId, live } = useShownRun();
  const { run } = live;
  const seen = useSeen(live.seen);
  const retried = run.steps.filter(({ attempts, items }) => attempts > 1 && items === undefined).slice(0, MAX_STEPS);
  const stored = useQueries({
    queries: retried.map((step) => stepDetailsQuery(appId, run.id, step, null)),
    combine: (results) => results.map(({ data }) => data?.latest_attempts),
  });
  return useMemo(() => {
    const tries = new Map<string, readonly Try[]>();
    for (const [key, all] of seen.tries) {
      tries.set(
        key,
        all
          .filter(({ item }) => item === null)
          .map(({ attempt, startedAt, at }) => ({
            number: attempt,
            part: null,
            from: Date.parse(startedAt ?? at),
            to: Date.parse(at),
            isFailed: true,
          })),
      );
    }
    for (const [index, attempts] of stored.entries()) {
      const key = retried[index]?.key;
      if (key === undefined || attempts === undefined || attempts.length === 0) continue;
      tries.set(
        key,
        attempts.map(({ number, item, started_at, finished_at, error }) => ({
          number,
          part: item ?? null,
          from: Date.parse(started_at),
          to: Date.parse(finished_at),
          isFailed: error !== null,
        })),
      );
    }
    return withOpenTries(tries, run.steps, now);
  }, [stored, seen.tries, retried, run.steps, now]);
}

function withOpenTries(
  tries: Map<string, readonly Try[]>,
  steps: ReturnType<typeof useShownRun>["live"]["run"]["steps"],
  now: number,
): ReadonlyMap<string, readonly Try[]> {
  for (const step of steps) {
    const known = tries.get(step.key);
    const last = known?.at(-1);
    const open = last === undefined ? null : openTry(step, last);
    if (known === undefined || last === undefined || open === null) continue;
    tries.set(step.key, [...known, { ...open, from: Math.min(last.to + 1, now), to: now, isFailed: false }]);
  }
  return tries;
}
