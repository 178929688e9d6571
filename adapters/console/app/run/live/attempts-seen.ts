/** What the page has seen of a run that is not stored: waits between tries, and the text that a model writes. */
import { useSyncExternalStore } from "react";
import type { RunEvent } from "../../../../../src/runs/run-event.ts";

/** A try that failed, and when the next one starts. */
export interface SeenTry {
  readonly attempt: number;
  /** When it started; null if that was not seen. */
  readonly startedAt: string | null;
  /** When it failed. */
  readonly at: string;
  readonly next_at: string;
  readonly message: string;
  /** With `for_each`: index of the item. */
  readonly item: number | null;
}

export interface Seen {
  readonly tries: ReadonlyMap<string, readonly SeenTry[]>;
  readonly texts: ReadonlyMap<string, string>;
  /** When the current try of a step started. */
  readonly starts: ReadonlyMap<string, string>;
}

const NOTHING: Seen = { tries: new Map(), texts: new Map(), starts: new Map() };
/** Characters of a model's text that are kept. The output has all of it. */
const MAX_TEXT = 100_000;

export interface SeenStore {
  add(events: readonly RunEvent[]): void;
  get(): Seen;
  subscribe(listener: () => void): () => void;
}

export function createSeenStore(): SeenStore {
  let seen = NOTHING;
  const listeners = new Set<() => void>();
  return {
    add(events) {
      const next = events.reduce(withEvent, seen);
      if (next === seen) return;
      seen = next;
      for (const listener of listeners) listener();
    },
    get: () => seen,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function withEvent(seen: Seen, event: RunEvent): Seen {
  if (event.type === "step.delta") {
    const text = ((seen.texts.get(event.step) ?? "") + event.text).slice(-MAX_TEXT);
    return { ...seen, texts: new Map(seen.texts).set(event.step, text) };
  }
  if (event.type === "step.started") {
    const starts = new Map(seen.starts).set(event.step, event.at);
    if (!seen.texts.has(event.step)) return { ...seen, starts };
    // Another attempt writes its text from the beginning.
    const texts = new Map(seen.texts);
    texts.delete(event.step);
    return { ...seen, starts, texts };
  }
  if (event.type === "step.retrying") {
    const { step, attempt, at, next_at, error, item = null } = event;
    const startedAt = item === null ? (seen.starts.get(step) ?? null) : null;
    const one = { attempt, startedAt, at, next_at, message: error.message, item };
    return { ...seen, tries: new Map(seen.tries).set(step, [...(seen.tries.get(step) ?? []), one]) };
  }
  return seen;
}

export const useSeen = (store: SeenStore): Seen => useSyncExternalStore(store.subscribe, store.get);
