/** Delivers run events to subscribers. Events without a subscriber are not created. */
import { hasEnded } from "../../runs/run.ts";
import { isEnd, type RunEvent } from "../../runs/run-event.ts";
import { eventsAfter, type RunSnapshot } from "./run-events.ts";
import { createSharedReads } from "./shared-reads.ts";

export interface EventBus {
  /** Whether the run has subscribers. */
  hasSubscribers(runId: string): boolean;
  emit(event: RunEvent): void;
  /** Emits an event that happened in another process. */
  deliver(event: RunEvent): void;
  /**
   * Passes the run's events on, until the returned function is called.
   * @param onEvent Receives null if the stored run has changed while it was not in memory.
   */
  tap(runId: string, onEvent: (event: RunEvent | null) => void): () => void;
  /** Lets the run's subscribers read its state again, because it has changed while the run was not in memory. */
  refresh(runId: string): void;
  /** Like {@link refresh}, for a change by another process. */
  reread(runId: string): void;
  /**
   * Yields all events after a number, then new events as they happen. Ends when the run has ended, the signal aborts,
   * or the bus is closed.
   * @param read Reads the run's current state as it is stored.
   */
  follow(
    runId: string,
    after: number,
    read: () => Promise<RunSnapshot>,
    signal?: AbortSignal,
  ): AsyncGenerator<RunEvent>;
  close(): void;
}

/** Maximum number of events buffered for a slow subscriber. One that falls further behind reads the run again. */
const MAX_BUFFERED_EVENTS = 500;

interface Subscriber {
  buffered: RunEvent[];
  hasMissedEvents: boolean;
  notify(): void;
}

export function createEventBus(): EventBus {
  const subscribers = new Map<string, Set<Subscriber>>();
  const taps = new Map<string, (event: RunEvent | null) => void>();
  /** A change that many follow is read once. */
  const shareRead = createSharedReads<RunSnapshot>();
  let closed = false;

  function subscribe(runId: string): Subscriber {
    const subscriber: Subscriber = { buffered: [], hasMissedEvents: false, notify() {} };
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

  /** Resolves when there is something to read, or the subscription has ended. */
  function untilNotified(subscriber: Subscriber, signal: AbortSignal | undefined): Promise<void> {
    if (subscriber.buffered.length > 0 || subscriber.hasMissedEvents || closed || signal?.aborted === true)
      return Promise.resolve();
    return new Promise((resolve) => {
      subscriber.notify = () => {
        signal?.removeEventListener("abort", subscriber.notify);
        resolve();
      };
      signal?.addEventListener("abort", subscriber.notify, { once: true });
    });
  }

  function deliver(event: RunEvent): void {
    for (const subscriber of subscribers.get(event.run_id) ?? []) {
      if (subscriber.buffered.length < MAX_BUFFERED_EVENTS) subscriber.buffered.push(event);
      else subscriber.hasMissedEvents = true;
      subscriber.notify();
    }
  }

  function reread(runId: string): void {
    for (const subscriber of subscribers.get(runId) ?? []) {
      subscriber.hasMissedEvents = true;
      subscriber.notify();
    }
  }

  return {
    hasSubscribers: (runId) => subscribers.has(runId) || taps.has(runId),
    deliver,

    tap(runId, onEvent) {
      taps.set(runId, onEvent);
      return () => void (taps.get(runId) === onEvent && taps.delete(runId));
    },

    emit(event) {
      deliver(event);
      taps.get(event.run_id)?.(event);
    },

    refresh(runId) {
      reread(runId);
      taps.get(runId)?.(null);
    },

    reread,

    async *follow(runId, after, read, signal) {
      const subscriber = subscribe(runId);
      const isAborted = () => signal?.aborted === true;
      let last = after;
      const active = createActiveSteps();
      try {
        subscriber.hasMissedEvents = true; // subscribed first, so nothing is missed between this read and new events
        while (!closed && !isAborted()) {
          let isOver = false;
          let events = subscriber.buffered;
          subscriber.buffered = [];
          if (subscriber.hasMissedEvents) {
            subscriber.hasMissedEvents = false;
            const recorded = await shareRead(runId, read);
            isOver = hasEnded(recorded.run.status);
            const missed = eventsAfter(recorded, last).filter((event) => !active.isKnown(event));
            const live = [...events, ...subscriber.buffered.splice(0)];
            events = [...missed, ...live.filter((event) => !isStartAmong(missed, event))];
          }
          for (const event of events) {
            if (isAborted()) return;
            if (event.id !== undefined && event.id <= last) continue;
            if (event.id !== undefined) last = event.id;
            active.note(event);
            yield event;
            if (isEnd(event)) return;
          }
          if (isOver) return; // the subscriber has received the final event before
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

/** Whether the event is the start of a step that was read at the same time. */
function isStartAmong(missed: readonly RunEvent[], event: RunEvent): boolean {
  if (event.type !== "step.started" || event.item !== undefined) return false;
  return missed.some((other) => other.type === event.type && other.step === event.step);
}

/** What a subscriber knows of the steps that execute or wait: it doesn't receive the same again whenever it reads the run. */
function createActiveSteps() {
  /** The last event of each step that has not settled. */
  const known = new Map<string, RunEvent["type"]>();
  return {
    /** @param event Of a step as it is stored. */
    isKnown: (event: RunEvent) => event.id === undefined && known.get(event.step) === event.type,
    note(event: RunEvent): void {
      if (event.type === "step.started" || event.type === "step.waiting") known.set(event.step, event.type);
      else if (event.id !== undefined && "step" in event) known.delete(event.step);
    },
  };
}
