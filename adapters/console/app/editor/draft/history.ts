/** The one history of a draft: undo, redo, typing that counts as one change, and changes of others that stay. Pure. */
import type { Definition } from "../../../../../src/workflows/version.ts";
import { mergedRenamed, type Names, namesAfter, namesBetween } from "./merge-renamed.ts";

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

/** What was there before the changes of others, and with them. */
interface Adopted {
  /** Definitions of the past that do not have it: those before this index. */
  readonly until: number;
  readonly base: Definition;
  readonly theirs: Definition;
  /** Steps that they have renamed. */
  readonly names: Names;
}

export interface Change {
  /** Changes of the same kind, such as those of one field, may be joined. @default never joined */
  readonly kind?: string;
  /** Milliseconds. */
  readonly at: number;
}

/** The kind of what is typed into a field of a step. */
export const typedKind = (step: string, place: string): string => `typed ${step} ${place}`;

/** Whether the last change is one that somebody types into a field of a step. */
export const isTyped = ({ last }: History): boolean => last?.kind.startsWith("typed ") === true;

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
  const next = { until: past.length, base: present, theirs, names: namesBetween(present, theirs) };
  return { past, present: theirs, future: [], last: null, adopted: withAdopted(adopted, next) };
}

export function undone(history: History): History {
  const { past, present, future, adopted } = history;
  const index = past.length - 1;
  const before = past[index];
  if (before === undefined) return history;
  const shorter = { past: past.slice(0, index), future: [present, ...future], last: null };
  const missing = adopted.at(-1);
  if (missing === undefined || missing.until <= index) return { ...shorter, present: before, adopted };
  const { base, theirs, names } = missing;
  const own = namesBetween(base, before);
  const next = mergedRenamed({ base, mine: before, theirs }, own, names);
  const kept = new Map([...names].map(([key, after]) => [own.get(key) ?? key, after]));
  const earlier = adopted.slice(0, -1);
  return {
    ...shorter,
    present: next,
    adopted: withAdopted(earlier, { until: index, base: before, theirs: next, names: kept }),
  };
}

/** What they changed at one place of the past is one. Without a past, nobody goes back to it. */
function withAdopted(adopted: readonly Adopted[], next: Adopted): readonly Adopted[] {
  if (next.until === 0) return [];
  const last = adopted.at(-1);
  if (last?.until !== next.until) return [...adopted, next];
  return [...adopted.slice(0, -1), { ...next, base: last.base, names: namesAfter(last.names, next.names) }];
}

export function redone(history: History): History {
  const { past, present, future, adopted } = history;
  const [next, ...others] = future;
  if (next === undefined) return history;
  return { past: [...past, present], present: next, future: others, last: null, adopted };
}

const upTo = (adopted: readonly Adopted[], until: (one: Adopted) => number): readonly Adopted[] =>
  adopted.map((one) => ({ ...one, until: until(one) })).filter((one) => one.until > 0);
