/** Steps that were renamed: one is gone, and a new one has the same or nearly the same content. Pure. */
import type { Step } from "../../../../src/workflows/step.ts";
import { mapDestinations } from "../editor/draft/ways.ts";

export interface Renaming {
  readonly from: Step;
  readonly to: Step;
}

/** Part of the words that both must have. */
const MIN_SIMILARITY = 0.6;
/** Pairs that are compared by their words. Beyond, only steps with the same content are found. */
const MAX_PAIRS = 2_500;
/** Words of a step that are compared. */
const MAX_WORDS = 2_000;

export function renamings(removed: readonly Step[], added: readonly Step[]): readonly Renaming[] {
  const same = sameContent(removed, added);
  const found = new Set(same.flatMap(({ from, to }) => [from, to]));
  const isLeft = (step: Step) => !found.has(step);
  return [...same, ...similar(removed.filter(isLeft), added.filter(isLeft))];
}

function sameContent(removed: readonly Step[], added: readonly Step[]): readonly Renaming[] {
  const left = new Map<string, Step[]>();
  for (const step of added) {
    const content = contentOf(step);
    left.set(content, [...(left.get(content) ?? []), step]);
  }
  return removed.flatMap((from) => {
    const to = left.get(contentOf(from))?.shift();
    return to === undefined ? [] : [{ from, to }];
  });
}

/** The most similar pairs first. */
function similar(removed: readonly Step[], added: readonly Step[]): readonly Renaming[] {
  if (removed.length * added.length > MAX_PAIRS) return [];
  const words = new Map([...removed, ...added].map((step) => [step, wordsOf(step)]));
  const pairs = removed
    .flatMap((from) =>
      added
        .filter(({ type }) => type === from.type)
        .map((to) => ({ from, to, similarity: similarityOf(words.get(from) ?? [], words.get(to) ?? []) })),
    )
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((one, other) => other.similarity - one.similarity);
  const taken = new Set<Step>();
  return pairs.flatMap(({ from, to }) => {
    if (taken.has(from) || taken.has(to)) return [];
    taken.add(from).add(to);
    return [{ from, to }];
  });
}

/** Twice the words that both have, by the words of both. */
function similarityOf(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const word of one) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of other) {
    const left = counts.get(word) ?? 0;
    if (left > 0) shared++;
    counts.set(word, left - 1);
  }
  const all = one.length + other.length;
  return all === 0 ? 1 : (2 * shared) / all;
}

const wordsOf = (step: Step): readonly string[] =>
  (contentOf(step).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_"]/gu) ?? []).slice(0, MAX_WORDS);

/** Reads of other steps, which change when those are renamed. */
const READS = /\bsteps(?:\.\w+|\["[^"\]]*"\])/g;

/** What a step does, without its key, its place, and the keys of others. */
function contentOf(step: Step): string {
  const {
    key: _key,
    position: _position,
    size: _size,
    display: _display,
    ...content
  } = mapDestinations(step, () => []);
  return JSON.stringify(content, (_, value: unknown) =>
    typeof value === "string" ? value.replaceAll(READS, "steps") : value,
  );
}
