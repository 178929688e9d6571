/** How long a run may take from its start to its end, whatever it does meanwhile. DESIGN 5.4. */
import { instant } from "../clock.ts";
import type { RunError } from "../runs/run.ts";
import type { RunDocument } from "./run-document.ts";

/** The last moment that a date can tell: what lies behind it is as good as never. */
const LAST_MOMENT = 8.64e15;

/**
 * When a run has taken too long, in milliseconds since 1970; null where nothing limits it, and while it has not begun.
 * A run that has waited keeps the moment that was decided then.
 */
export function deadlineOf(document: RunDocument, limit: number): number | null {
  if (document.awaiting !== undefined) return null;
  if (document.due_at !== undefined) return Date.parse(document.due_at);
  const began = beganAt(document);
  return began === null || began + limit > LAST_MOMENT ? null : began + limit;
}

/** A run that comes to wait, with the moment at which it is looked at if nobody comes. */
export function asWaiting(document: RunDocument, limit: number): RunDocument {
  const deadline = deadlineOf(document, limit);
  return { ...document, status: "waiting", ...(deadline === null ? {} : { due_at: instant(deadline) }) };
}

export function overTime(document: RunDocument, deadline: number): RunError {
  const seconds = (deadline - (beganAt(document) ?? deadline)) / 1_000;
  return { code: "run_timeout", message: `The run took longer than ${seconds} seconds.` };
}

/** A run that goes on after its end has its whole time again. */
function beganAt({ reopened_at, started_at }: RunDocument): number | null {
  const began = reopened_at ?? started_at;
  return began === null ? null : Date.parse(began);
}
