/** Brings what happens in runs to those who follow them; nothing is made that nobody listens to. */
import { hasEnded } from "../../runs/run.ts";
import { isEnd, type RunEvent } from "../../runs/run-event.ts";
import { eventsAfter, type RunSnapshot } from "./run-events.ts";

export interface EventBus {
  /** Whether anybody follows this run. */
  hasSubscribers(runId: string): boolean;
  emit(event: RunEvent): void;
  /**
   * Everything behind a number, then everything as it happens, until the run has ended, the signal aborts, or the hub
   * is closed.
   * @param read The run as it stands, with nothing that is not stored.
   */
  follow(
    runId: string,
    after: number,
    read: () => Promise<RunSnapshot>,
    signal?: AbortSignal,
  ): AsyncGenerator<RunEvent>;
  close(): void;
}

/** Events that may wait for a slow subscriber; one that is further behind reads the run anew. */
const MAX_BUFFERED_EVENTS = 500;

interface Subscriber {
  waiting: RunEvent[];
  isBehind: boolean;
  notify(): void;
}

export function createEventBus(): EventBus {
  const subscribers = new Map<string, Set<Subscriber>>();
  let closed = false;

  function subscribe(runId: string): Subscriber {
    const subscriber: Subscriber = { waiting: [], isBehind: false, notify() {} };
    const others = subscribers.get(runId);
    if (others === undefined) subscribers.set(runId, new Set([subscriber]));
    else others.add(subscriber);
    return subscriber;
  }

  function unsubscribe(runId: string, subscriber: Subscriber): void {
    const others = subscribers.get(runId);
    others?.delete(subscriber);
    if (others?.size === 0) subscribers.delete(runId);
  }

  /** Until something waits, or nobody is there to wait for it. */
  function untilNotified(subscriber: Subscriber, signal: AbortSignal | undefined): Promise<void> {
    if (subscriber.waiting.length > 0 || subscriber.isBehind || closed || signal?.aborted === true)
      return Promise.resolve();
    return new Promise((resolve) => {
      subscriber.notify = () => {
        signal?.removeEventListener("abort", subscriber.notify);
        resolve();
      };
      signal?.addEventListener("abort", subscriber.notify, { once: true });
    });
  }

  return {
    hasSubscribers: (runId) => subscribers.has(runId),

    emit(event) {
      for (const subscriber of subscribers.get(event.run_id) ?? []) {
        if (subscriber.waiting.length < MAX_BUFFERED_EVENTS) subscriber.waiting.push(event);
        else subscriber.isBehind = true;
        subscriber.notify();
      }
    },

    async *follow(runId, after, read, signal) {
      const subscriber = subscribe(runId);
      const hasLeft = () => signal?.aborted === true;
      let last = after;
      try {
        subscriber.isBehind = true; // reads what was before it came, having joined first
        while (!closed && !hasLeft()) {
          let isOver = false;
          let events = subscriber.waiting;
          subscriber.waiting = [];
          if (subscriber.isBehind) {
            subscriber.isBehind = false;
            const recorded = await read();
            isOver = hasEnded(recorded.run.status);
            events = [...eventsAfter(recorded, last), ...events, ...subscriber.waiting.splice(0)];
          }
          for (const event of events) {
            if (hasLeft()) return;
            if (event.id !== undefined && event.id <= last) continue;
            if (event.id !== undefined) last = event.id;
            yield event;
            if (isEnd(event)) return;
          }
          if (isOver) return; // the subscriber knows its end already
          await untilNotified(subscriber, signal);
        }
      } finally {
        unsubscribe(runId, subscriber);
      }
    },

    close() {
      closed = true;
      for (const others of subscribers.values()) for (const subscriber of others) subscriber.notify();
    },
  };
}
