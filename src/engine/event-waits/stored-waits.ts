/** The waits for events in the document of a run. */
import { isSameWait, type StoredWait } from "../../app-events/event-wait.ts";
import { instant } from "../../time/iso.ts";
import type { Progress } from "../progress/progress.ts";
import type { RunDocument } from "../state/run-document.ts";

/** Returns the run with the waits that are open now. */
export function withEventWaits(document: RunDocument, progress: Progress): RunDocument {
  if (progress.eventWaits.size === 0 && document.event_waits === undefined) return document;
  const { event_waits: _, ...rest } = document;
  const event_waits = [...progress.eventWaits].map(([task, { name, subject, since }]): StoredWait => {
    return { step: task.index, iteration: progress.iteration(task), name, subject, since: instant(since) };
  });
  return event_waits.length === 0 ? rest : { ...rest, event_waits };
}

export function hasSameWaits(
  { event_waits: one = [] }: RunDocument,
  { event_waits: other = [] }: RunDocument,
): boolean {
  return one.length === other.length && one.every((wait) => other.some((known) => isSameWait(wait, known)));
}
