/** Searches the texts of a leaf in one string. Pure. */

export interface SearchTexts {
  /** All texts without separators, so that one search covers the whole leaf. */
  readonly haystack: string;
  /** End of each row's text in the haystack. */
  readonly ends: readonly number[];
}

export function joinTexts(texts: readonly string[]): SearchTexts {
  const ends: number[] = [];
  let end = 0;
  for (const text of texts) {
    end += text.length;
    ends.push(end);
  }
  return { haystack: texts.join(""), ends };
}

/** Returns the indexes from `start` up to, but not including, `end` of the texts with this string, in ascending order. */
export function findTexts({ haystack, ends }: SearchTexts, search: string, start: number, end: number): number[] {
  const found: number[] = [];
  const last = ends[end - 1] ?? 0;
  let row = start;
  let from = start === 0 ? 0 : (ends[start - 1] ?? 0);
  for (;;) {
    const match = haystack.indexOf(search, from);
    if (match === -1 || match >= last) return found;
    while ((ends[row] ?? Number.POSITIVE_INFINITY) <= match) row++;
    from = ends[row] ?? Number.POSITIVE_INFINITY;
    // A match that continues into the next row doesn't count, and neither does a later one in this row.
    if (match + search.length <= from) found.push(row);
  }
}
