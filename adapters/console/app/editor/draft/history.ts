/** The one history of a draft: undo, redo, typing that counts as one change, and changes of others that stay. Pure. */
import type { Definition } from "../../../../../src/workflows/version.ts";
import { differences, merged } from "./merge.ts";

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
  /** What others have changed: an earlier definition gets it, too, when somebody goes back to it. */
  readonly adopted: readonly Adopted[];
}

interface Adopted {
  /** Definitions of the past that do not have it: those before this index. */
  readonly until: number;
  readonly base: Definition;
  readonly theirs: Definition;
}

export interface Change {
  /** Changes of the same kind, such as those of one field, may be joined. @default never joined */
  readonly kind?: string;
  /** Milliseconds. */
  readonly at: number;
}

export const historyOf = (present: Definition): History => ({
  past: [],
  present,
  future: [],
  last: null,
  adopted: [],
});

export function changed(history: History, next: Definition, { kind, at }: Change): History {
  if (next === history.present) return history;
  const { last, past, present, adopted } = history;
  const isJoined = kind !== undefined && last !== null && last.kind === kind && at - last.at < COALESCED_MS;
  const longer = isJoined ? past : [...past, present];
  const dropped = Math.max(0, longer.length - MAX_PAST);
  return {
    past: longer.slice(dropped),
    present: next,
    future: [],
    last: kind === undefined ? null : { kind, at },
    adopted: dropped === 0 ? adopted : upTo(adopted, ({ until }) => until - dropped),
  };
}

/** Takes over a definition that others have changed. Nobody can undo what they did, or redo what was undone before. */
export function adopting({ past, present, adopted }: History, theirs: Definition): History {
  const before = adopted.at(-1);
  const isJoined = before?.until === past.length;
  const next = { until: past.length, base: isJoined ? before.base : present, theirs };
  const all = [...(isJoined ? adopted.slice(0, -1) : adopted), next];
  return { past, present: theirs, future: [], last: null, adopted: past.length === 0 ? [] : all };
}

export function undone(history: History): History {
  const { past, present, future, adopted } = history;
  const index = past.length - 1;
  const before = past[index];
  if (before === undefined) return history;
  const missing = adopted.filter(({ until }) => until > index);
  return {
    past: past.slice(0, index),
    present: missing.reduce(withChanges, before),
    future: [present, ...future],
    last: null,
    adopted: upTo(adopted, ({ until }) => Math.min(until, index)),
  };
}

export function redone(history: History): History {
  const { past, present, future, adopted } = history;
  const [next, ...others] = future;
  if (next === undefined) return history;
  return { past: [...past, present], present: next, future: others, last: null, adopted };
}

/** What both changed stays as the others have it. */
function withChanges(mine: Definition, { base, theirs }: Adopted): Definition {
  const three = { base, mine, theirs };
  const choices = differences(three).map(
    ({ name, changedBy }) => [name, changedBy === "mine" ? "mine" : "theirs"] as const,
  );
  return merged(three, new Map(choices));
}

const upTo = (adopted: readonly Adopted[], until: (one: Adopted) => number): readonly Adopted[] =>
  adopted.map((one) => ({ ...one, until: until(one) })).filter((one) => one.until > 0);
