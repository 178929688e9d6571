/** How long a run may take from its start to its end, whatever it does meanwhile. */

import type { RunError } from "../../runs/run.ts";
import { instant, LAST_INSTANT } from "../../time/iso.ts";
import type { Progress } from "./progress.ts";
import type { RunDocument } from "./run-document.ts";

/**
 * When a run has taken too long, in milliseconds since 1970; null while it has not begun, and where nothing limits it, or
 * what is as good as nothing.
 */
export function deadlineOf(document: RunDocument, limit: number): number | null {
  if (document.awaiting !== undefined) return null;
  const began = startOf(document);
  return began === null || began + limit > LAST_INSTANT ? null : began + limit;
}

/** A run whose turn has come, from which on it has its time; one that has begun before stays as it is. */
export function asStarted(document: RunDocument, now: string): RunDocument {
  const isReopened = document.retries !== undefined && document.reopened_at === undefined;
  return { ...document, started_at: document.started_at ?? now, ...(isReopened ? { reopened_at: now } : {}) };
}

/** A run that comes to wait, with the moment at which it is looked at if nobody comes before. */
export function asWaiting(document: RunDocument, limit: number, moments: Progress["wakeUps"]): RunDocument {
  const { due_at: _, ...rest } = document;
  let due = deadlineOf(document, limit) ?? LAST_INSTANT;
  for (const { at } of moments.values()) due = Math.min(due, at);
  return { ...rest, status: "waiting", ...(due === LAST_INSTANT ? {} : { due_at: instant(due) }) };
}

/** A run that waits no longer, but for its turn perhaps. */
function asActive(document: RunDocument, status: "running" | "queued"): RunDocument {
  const { due_at: _, ...rest } = document;
  return { ...rest, status };
}

/** A run as it is to be stored next. */
export function withStatus(
  document: RunDocument,
  status: "queued" | "running" | "waiting",
  now: string,
  limit: number,
  moments: Progress["wakeUps"],
): RunDocument {
  if (status === "queued") return asActive(document, status);
  if (status === "running" && document.status === "running") return document;
  const begun = asStarted(document, now);
  return status === "waiting" ? asWaiting(begun, limit, moments) : asActive(begun, status);
}

export function timeoutError(document: RunDocument, deadline: number): RunError {
  const seconds = (deadline - (startOf(document) ?? deadline)) / 1_000;
  return { code: "run_timeout", message: `The run took longer than ${seconds} seconds.` };
}

/** A run that goes on after its end has its whole time again. */
function startOf({ reopened_at, started_at }: RunDocument): number | null {
  const began = reopened_at ?? started_at;
  return began === null ? null : Date.parse(began);
}
