/**
 * Compares two definitions. Pure. Steps are matched by their keys, so that inserting one changes no other. Everything else is
 * compared by its place: lists without what they have in common at their ends.
 */
import { isRecord } from "../../json.ts";
import type { Step } from "../../workflows/step.ts";
import type { Definition } from "../../workflows/version.ts";
import type { Difference, Path } from "./version-diff.ts";

/** Characters of a path, and of a name in it. What is below longer ones is compared as a whole, which bounds all pointers. */
const MAX_PATH_CHARS = 1_024;
const MAX_NAME_CHARS = 200;

/** A value in both definitions, with its places. */
interface Pair {
  readonly before: unknown;
  readonly after: unknown;
  readonly from: Path;
  readonly to: Path;
}

const FIELDS = ["input", "input_default", "input_options", "settings"] as const;

/** Yields differences on demand, so that callers can stop when they have enough. */
export function* compareDefinitions(before: Definition, after: Definition): Generator<Difference, void> {
  for (const field of FIELDS) {
    if (isUnset(before[field]) && isUnset(after[field])) continue;
    yield* compareField(before, after, field, { from: [field], to: [field] });
  }
  yield* compareSteps(before.steps, after.steps);
}

/** Nothing at all applies as without the field, however a caller writes that: the editor leaves `{}` behind. */
const isUnset = (part: Definition[(typeof FIELDS)[number]]) =>
  part === undefined || part === null || Object.keys(part).length === 0;

export interface StepMatch {
  readonly from: number;
  readonly to: number;
}

/** Pairs of steps with the same key, in the order of the second list. The draft may have a key several times. */
export function matchSteps(before: readonly Step[], after: readonly Step[]): StepMatch[] {
  const places = new Map<string, number[]>();
  for (const [index, { key }] of before.entries()) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  for (const indexes of places.values()) indexes.reverse();
  return after.flatMap(({ key }, to) => {
    const from = places.get(key)?.pop();
    return from === undefined ? [] : [{ from, to }];
  });
}

function* compareSteps(before: readonly Step[], after: readonly Step[]): Generator<Difference, void> {
  const matches = matchSteps(before, after);
  const kept = new Set(matches.map(({ from }) => from));
  const earlier = new Map(matches.map(({ from, to }) => [to, from]));
  for (const [index, value] of before.entries()) {
    if (!kept.has(index)) yield { kind: "removed", from: ["steps", index], value };
  }
  for (const [to, step] of after.entries()) {
    const from = earlier.get(to);
    if (from === undefined) yield { kind: "added", to: ["steps", to], value: step };
    else yield* compare({ before: before[from], after: step, from: ["steps", from], to: ["steps", to] });
  }
}

function* compare({ before, after, from, to }: Pair): Generator<Difference, void> {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    if (roomFor(to) > 0) return yield* compareLists(before, after, from, to);
  } else if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const room = roomFor(to);
    if (names.every((name) => name.length <= room)) {
      for (const name of names) {
        yield* compareField(before, after, name, { from: [...from, name], to: [...to, name] });
      }
      return;
    }
  }
  if (!isEqual(before, after)) yield { kind: "changed", from, to, before, after };
}

function* compareField(
  before: object,
  after: object,
  name: string,
  { from, to }: Pick<Pair, "from" | "to">,
): Generator<Difference, void> {
  const [old, now]: unknown[] = [before, after].map((side) =>
    Object.hasOwn(side, name) ? Reflect.get(side, name) : undefined,
  );
  if (old === undefined && now === undefined) return;
  if (old === undefined) yield { kind: "added", to, value: now };
  else if (now === undefined) yield { kind: "removed", from, value: old };
  else yield* compare({ before: old, after: now, from, to });
}

/** Lists of the same length are compared item by item. In others, what differs lies between equal ends. */
function* compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  from: Path,
  to: Path,
): Generator<Difference, void> {
  const shorter = Math.min(before.length, after.length);
  const isAligned = before.length === after.length;
  let start = 0;
  let end = 0;
  if (!isAligned) {
    while (start < shorter && isEqual(before[start], after[start])) start++;
    while (start + end < shorter && isEqual(before.at(-1 - end), after.at(-1 - end))) end++;
  }
  for (let index = start; index < before.length - end || index < after.length - end; index++) {
    const [old, now] = [
      [...from, index],
      [...to, index],
    ];
    if (index >= after.length - end) yield { kind: "removed", from: old, value: before[index] };
    else if (index >= before.length - end) yield { kind: "added", to: now, value: after[index] };
    else yield* compare({ before: before[index], after: after[index], from: old, to: now });
  }
}

/** Characters that a name below the path may have. */
function roomFor(path: Path): number {
  const used = path.reduce((sum: number, part) => sum + String(part).length + 1, 0);
  return Math.min(MAX_NAME_CHARS, MAX_PATH_CHARS - used);
}

/** Whether two JSON values are equal. The order of names does not matter. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => isEqual(item, other[at]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}

/** The matches outside of the longest sequence that is in order in both lists: the fewest steps that can have moved. */
export function movedSteps(matches: readonly StepMatch[]): StepMatch[] {
  /** For each length, the match with the smallest `from` that ends a sequence of this length. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [index, { from }] of matches.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((matches[ends[middle] ?? 0]?.from ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1];
    ends[low] = index;
  }
  const inOrder = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) inOrder.add(at);
  return matches.filter((_, index) => !inOrder.has(index));
}
