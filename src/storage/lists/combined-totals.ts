/**
 * How many rows of a list match combinations of marks that queries have asked for. A change of a row updates the numbers, so
 * that the next page of a long list counts nothing.
 */

/** A row matches if it has at least one mark of each group. */
type Groups = readonly (readonly string[])[];

interface CombinedTotal {
  readonly groups: Groups;
  /** Until it is counted, how it has changed since the count began. */
  total: number;
  isCounted: boolean;
  /** Changes of the list since the last query. */
  unused: number;
}

/** By the groups as JSON, least recently used first. */
export type CombinedTotals = Map<string, CombinedTotal>;

/** Each one costs a little with every change of the list. */
const MAX_TOTALS = 16;
/** Changes after which a total that no query has asked for is dropped. */
const MAX_UNUSED_CHANGES = 10_000;

/** @param count Counts the rows, if the number is not known. */
export function combinedTotal(totals: CombinedTotals, groups: Groups, count: () => number): number {
  const known = knownTotal(totals, groups);
  if (known !== undefined) return known;
  const start = startTotal(totals, groups);
  const total = count();
  start.end(total);
  return total;
}

/** The number of rows that match, if it is known. */
export function knownTotal(totals: CombinedTotals, groups: Groups): number | undefined {
  const key = JSON.stringify(groups);
  const known = totals.get(key);
  if (known === undefined || !known.isCounted) return undefined;
  known.unused = 0;
  totals.delete(key);
  totals.set(key, known);
  return known.total;
}

export interface CountedTotal {
  /** @param total The number of rows when the count began. Null if counting has failed. */
  end(total: number | null): void;
}

const COUNTED_BY_ANOTHER: CountedTotal = { end: () => undefined };

/** Follows the changes of rows while they are counted. */
export function startTotal(totals: CombinedTotals, groups: Groups): CountedTotal {
  const key = JSON.stringify(groups);
  if (totals.has(key)) return COUNTED_BY_ANOTHER;
  const combined: CombinedTotal = { groups, total: 0, isCounted: false, unused: 0 };
  totals.set(key, combined);
  const [oldest] = totals.keys();
  if (totals.size > MAX_TOTALS && oldest !== undefined) totals.delete(oldest);
  return {
    end(total) {
      if (total === null) {
        if (totals.get(key) === combined) totals.delete(key);
        return;
      }
      combined.total += total;
      combined.isCounted = true;
    },
  };
}

/** A row has changed. @param before Its marks before; null for a new row. @param after Null for a removed row. */
export function updateTotals(
  totals: CombinedTotals,
  before: ReadonlySet<string> | null,
  after: ReadonlySet<string> | null,
): void {
  for (const [key, combined] of totals) {
    combined.unused++;
    if (combined.unused > MAX_UNUSED_CHANGES) totals.delete(key);
    combined.total += countOf(combined.groups, after) - countOf(combined.groups, before);
  }
}

function countOf(groups: Groups, marks: ReadonlySet<string> | null): number {
  return marks !== null && groups.every((group) => group.some((mark) => marks.has(mark))) ? 1 : 0;
}
