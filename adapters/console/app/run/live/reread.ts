/** When a run is read anew, because no event says what has changed: that an item has ended, or until when a step waits. */
import type { Run } from "../../../../../src/runs/run.ts";
import type { RunEvent } from "../../../../../src/runs/run-event.ts";
import { hasEnded } from "../has-ended.ts";

/** Whether items of a list may end at any moment. */
export const hasOpenItems = ({ status, steps }: Run): boolean =>
  !hasEnded(status) && steps.some((step) => step.status === "running" && step.items !== undefined);

/** Whether events may have changed how many items have ended. */
export function areAboutItems(run: Run, events: readonly RunEvent[]): boolean {
  const withItems = new Set(run.steps.flatMap(({ key, items }) => (items === undefined ? [] : [key])));
  return events.some(
    (event) => "step" in event && (withItems.has(event.step) || ("item" in event && event.item !== undefined)),
  );
}

/** Whether a step waits since these events, which do not say until when. A person answers when it suits. */
export function haveBegunWait(run: Run, events: readonly RunEvent[]): boolean {
  const waiting = new Set(events.flatMap((event) => (event.type === "step.waiting" ? [event.step] : [])));
  return run.steps.some(
    ({ key, type, status, waits_until }) =>
      waiting.has(key) && type !== "input" && status === "waiting" && waits_until === undefined,
  );
}

export interface Reread {
  /** Counts soon. Does nothing if that is planned already. */
  readonly ask: () => void;
  readonly stop: () => void;
}

/**
 * Counts at most once in a time. Its timer is its own: a query starts its interval again with each event.
 * @param read Reads the run. Returns whether items are still open.
 */
export function createReread(read: () => Promise<boolean>, everyMs: number): Reread {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const ask = () => {
    if (!isStopped) timer ??= setTimeout(() => void count(), everyMs);
  };
  async function count(): Promise<void> {
    const areOpen = await read().catch(() => true); // a lost connection comes back
    timer = undefined;
    if (areOpen) ask();
  }
  return {
    ask,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
