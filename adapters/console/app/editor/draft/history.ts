/** The one history of a draft: undo, redo, and typing that counts as one change. Pure. */
import type { Definition } from "../../../../../src/workflows/version.ts";

/** Changes of the same kind that follow each other within this time are one. */
const COALESCED_MS = 1_000;
/** Definitions that can be gone back to. */
const MAX_PAST = 500;

export interface History {
  readonly past: readonly Definition[];
  readonly present: Definition;
  readonly future: readonly Definition[];
  /** What the last change was, for typing; null if nothing joins it. */
  readonly last: { readonly kind: string; readonly at: number } | null;
}

export interface Change {
  /** Changes of the same kind, such as those of one field, may be joined. @default never joined */
  readonly kind?: string;
  /** Milliseconds. */
  readonly at: number;
}

export const historyOf = (present: Definition): History => ({ past: [], present, future: [], last: null });

export function changed(history: History, next: Definition, { kind, at }: Change): History {
  if (next === history.present) return history;
  const { last, past, present } = history;
  const isJoined = kind !== undefined && last !== null && last.kind === kind && at - last.at < COALESCED_MS;
  return {
    past: isJoined ? past : [...past, present].slice(-MAX_PAST),
    present: next,
    future: [],
    last: kind === undefined ? null : { kind, at },
  };
}

export function undone(history: History): History {
  const { past, present, future } = history;
  const before = past.at(-1);
  if (before === undefined) return history;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], last: null };
}

export function redone(history: History): History {
  const { past, present, future } = history;
  const [next, ...others] = future;
  if (next === undefined) return history;
  return { past: [...past, present], present: next, future: others, last: null };
}
