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

/** Events that may wait for a slow follower; one that is further behind reads the run anew. */
const MAX_BUFFERED_EVENTS = 500;

interface Subscriber {
  waiting: RunEvent[];
  isBehind: boolean;
  wake(): void;
}

export function createEventBus(): EventBus {
  const followers = new Map<string, Set<Subscriber>>();
  let closed = false;

  function subscribe(runId: string): Subscriber {
    const follower: Subscriber = { waiting: [], isBehind: false, wake() {} };
    const others = followers.get(runId);
    if (others === undefined) followers.set(runId, new Set([follower]));
    else others.add(follower);
    return follower;
  }

  function unsubscribe(runId: string, follower: Subscriber): void {
    const others = followers.get(runId);
    others?.delete(follower);
    if (others?.size === 0) followers.delete(runId);
  }

  /** Until something waits, or nobody is there to wait for it. */
  function untilNotified(follower: Subscriber, signal: AbortSignal | undefined): Promise<void> {
    if (follower.waiting.length > 0 || follower.isBehind || closed || signal?.aborted === true)
      return Promise.resolve();
    return new Promise((resolve) => {
      follower.wake = () => {
        signal?.removeEventListener("abort", follower.wake);
        resolve();
      };
      signal?.addEventListener("abort", follower.wake, { once: true });
    });
  }

  return {
    hasSubscribers: (runId) => followers.has(runId),

    emit(event) {
      for (const follower of followers.get(event.run_id) ?? []) {
        if (follower.waiting.length < MAX_BUFFERED_EVENTS) follower.waiting.push(event);
        else follower.isBehind = true;
        follower.wake();
      }
    },

    async *follow(runId, after, read, signal) {
      const follower = subscribe(runId);
      const hasLeft = () => signal?.aborted === true;
      let last = after;
      try {
        follower.isBehind = true; // reads what was before it came, having joined first
        while (!closed && !hasLeft()) {
          let isOver = false;
          let events = follower.waiting;
          follower.waiting = [];
          if (follower.isBehind) {
            follower.isBehind = false;
            const recorded = await read();
            isOver = hasEnded(recorded.run.status);
            events = [...eventsAfter(recorded, last), ...events, ...follower.waiting.splice(0)];
          }
          for (const event of events) {
            if (hasLeft()) return;
            if (event.id !== undefined && event.id <= last) continue;
            if (event.id !== undefined) last = event.id;
            yield event;
            if (isEnd(event)) return;
          }
          if (isOver) return; // the follower knows its end already
          await untilNotified(follower, signal);
        }
      } finally {
        unsubscribe(runId, follower);
      }
    },

    close() {
      closed = true;
      for (const others of followers.values()) for (const follower of others) follower.wake();
    },
  };
}
