/** What a search finds in a list of choices, and in which order. Pure. */

export interface Searched {
  readonly label: string;
  readonly detail: string;
  /** Choices of the same group stand together, in the order of their groups. */
  readonly group?: string;
  /** Other words by which it is found, with commas between them. They are not shown. */
  readonly words?: string;
}

/** A hint shows from the third letter on. */
const MIN_HINT_LETTERS = 3;

const fold = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const wordsOf = (text: string): readonly string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
const searchOf = (text: string) => fold(text).split(/\s+/).filter(Boolean);

/**
 * Those that contain all words of the search. Within a group, what the label says comes before the rest; in each of the two,
 * whole words come before beginnings of words, then parts of them.
 */
export function matchesOf<One extends Searched>(choices: readonly One[], search: string): readonly One[] {
  const wanted = searchOf(search);
  if (wanted.length === 0) return choices;
  const groups = [...new Set(choices.map(({ group }) => group))];
  return choices
    .flatMap((choice) => {
      const rank = rankOf(choice, wanted);
      return rank === null ? [] : [{ choice, rank, group: groups.indexOf(choice.group) }];
    })
    .sort((one, other) => one.group - other.group || one.rank - other.rank)
    .map(({ choice }) => choice);
}

/** Parts of words come after whole ones and beginnings. */
const PART = 2;

/** The lower, the better; null if a word is missing. */
function rankOf({ label, detail, group = "", words = "" }: Searched, wanted: readonly string[]): number | null {
  const inLabel = rankIn(label, wanted);
  if (inLabel !== null) return inLabel;
  const inAll = rankIn(`${label} ${detail} ${group} ${words}`, wanted);
  return inAll === null ? null : PART + 1 + inAll;
}

/** 0: all words of the search are whole words; 1: beginnings of words; 2: parts; null: one is missing. */
function rankIn(text: string, wanted: readonly string[]): number | null {
  const folded = fold(text);
  if (!wanted.every((word) => folded.includes(word))) return null;
  const known = wordsOf(text);
  if (wanted.every((word) => known.includes(word))) return 0;
  return wanted.every((word) => known.some((one) => one.startsWith(word))) ? 1 : PART;
}

/** Whether a search asks for one of these words or phrases, which have commas between them. */
export function isAskedFor(words: string, search: string): boolean {
  const text = fold(search).trim();
  const isLong = text.length >= MIN_HINT_LETTERS || /[^\p{Script=Latin}]/u.test(text);
  return (
    text !== "" &&
    isLong &&
    fold(words)
      .split(", ")
      .some((word) => word.startsWith(text))
  );
}
