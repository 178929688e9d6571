/** Enforces the maximum duration of a run from start to end, including waits. */

import { omitUndefined } from "../../json.ts";
import type { RunError } from "../../runs/run.ts";
import { instant, LAST_INSTANT } from "../../time/iso.ts";
import type { AwaitedChild } from "../execution/step-context.ts";
import type { Progress } from "../progress/progress.ts";
import { type RunDocument, withoutRateLimit } from "./run-document.ts";

/**
 * Returns the deadline in milliseconds since 1970: after the time limit of the host or of the version, whichever is shorter.
 * Returns null if the run has not begun, or if the deadline exceeds the maximum timestamp, which means no limit.
 */
export function deadlineOf(document: RunDocument, limit: number): number | null {
  if (document.awaiting !== undefined) return null;
  const start = startOf(document);
  const shorter = Math.min(limit, document.time_limit_ms ?? limit);
  return start === null || start + shorter > LAST_INSTANT ? null : start + shorter;
}

/** Sets the start time of a run that gets a slot. A run that has begun before keeps its start time. */
export function asStarted(document: RunDocument, now: string): RunDocument {
  const isReopened = document.retries !== undefined && document.reopened_at === undefined;
  return {
    ...withoutRateLimit(document),
    started_at: document.started_at ?? now,
    ...omitUndefined({ reopened_at: isReopened ? now : undefined }),
  };
}

/**
 * Returns the run as waiting, with the time at which it must be checked if nothing else happens before.
 * @param children Child runs that it waits for.
 */
export function asWaiting(
  document: RunDocument,
  limit: number,
  wakeUps: Progress["wakeUps"],
  children: readonly AwaitedChild[] = [],
): RunDocument {
  const { due_at: _, awaits: earlier, ...rest } = document;
  let due = deadlineOf(document, limit) ?? LAST_INSTANT;
  for (const { at } of wakeUps.values()) due = Math.min(due, at);
  for (const { until = due } of children) due = Math.min(due, until);
  const awaits = children.length === 0 ? undefined : children.map(({ run_id }) => run_id);
  const due_at = due === LAST_INSTANT ? undefined : instant(Math.ceil(due));
  return { ...rest, status: "waiting", ...omitUndefined({ due_at, awaits }) };
}

/** Returns a run that no longer waits, except for its slot. */
function asActive(document: RunDocument, status: "running" | "queued"): RunDocument {
  const { due_at, awaits, ...rest } = document;
  return { ...rest, status };
}

/** Returns the run with its next status. */
export function withStatus(
  document: RunDocument,
  status: "queued" | "running" | "waiting",
  now: string,
  limit: number,
  wakeUps: Progress["wakeUps"],
  children: readonly AwaitedChild[] = [],
): RunDocument {
  if (status === "queued") return asActive(document, status);
  if (status === "running" && document.status === "running") return document;
  const started = asStarted(document, now);
  return status === "waiting" ? asWaiting(started, limit, wakeUps, children) : asActive(started, status);
}

export function timeoutError(document: RunDocument, deadline: number): RunError {
  const seconds = (deadline - (startOf(document) ?? deadline)) / 1_000;
  return { code: "run_timeout", message: `The run took longer than ${seconds} seconds.` };
}

/** A retried run gets the full time limit again. */
function startOf({ reopened_at, started_at }: RunDocument): number | null {
  const start = reopened_at ?? started_at;
  return start === null ? null : Date.parse(start);
}
