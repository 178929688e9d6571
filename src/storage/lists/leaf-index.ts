/**
 * The search index of a leaf. Both parts are built when a query needs them: all texts in one string, and the rows of the
 * queried marks. Most marks are never queried, and the rows of rare ones are found without it (`marked-rows.ts`).
 */
import { addRow, hasRows, keepRowsOfAny, type RowSet, rowRange } from "./row-bitset.ts";

export interface LeafIndex {
  /** Number of rows in the leaf. */
  readonly size: number;
  readonly searchTexts: () => SearchTexts;
  /** The rows of each group: those with at least one of its marks. */
  readonly rowsOfGroups: (groups: MarkGroups) => readonly (readonly RowSet[])[];
}

interface SearchTexts {
  /** All texts without separators, so that one search covers the whole leaf. */
  readonly haystack: string;
  /** End of each row's text in the haystack. */
  readonly ends: readonly number[];
}

/** As in `ListQuery`: a row matches if it has at least one mark of each group. */
export type MarkGroups = readonly (readonly string[])[];

/** Filters rows, as in `ListQuery`. */
export interface RowFilter {
  readonly search?: string | undefined;
  readonly marks?: MarkGroups | undefined;
}

/** Marks whose rows an index keeps for later queries. */
const MAX_KEPT_MARKS = 256;
const NO_ROWS: RowSet = new Uint32Array(0);

export function createLeafIndex(texts: readonly string[], marksOfRows: readonly (readonly string[])[]): LeafIndex {
  const size = texts.length;
  const known = new Map<string, RowSet>();
  let searchTexts: SearchTexts | null = null;

  function addMarks(marks: ReadonlySet<string>): void {
    let unknown = [...marks].filter((mark) => !known.has(mark));
    if (known.size + unknown.length > MAX_KEPT_MARKS) {
      known.clear();
      unknown = [...marks];
    }
    findMarks(known, unknown, marksOfRows);
  }

  return {
    size,
    searchTexts() {
      searchTexts ??= joinTexts(texts);
      return searchTexts;
    },
    rowsOfGroups(groups) {
      // Queries call this for each leaf of a list, so nothing is copied while all marks are known.
      if (!groups.every((group) => group.every((mark) => known.has(mark)))) addMarks(new Set(groups.flat()));
      return groups.map((group) => group.map((mark) => known.get(mark) ?? NO_ROWS));
    },
  };
}

function joinTexts(texts: readonly string[]): SearchTexts {
  const ends: number[] = [];
  let end = 0;
  for (const text of texts) {
    end += text.length;
    ends.push(end);
  }
  return { haystack: texts.join(""), ends };
}

/** Adds the rows of these marks, in one pass. */
function findMarks(
  known: Map<string, RowSet>,
  unknown: readonly string[],
  marksOfRows: readonly (readonly string[])[],
): void {
  const wanted = new Set(unknown);
  for (const mark of unknown) known.set(mark, NO_ROWS);
  for (let row = 0; row < marksOfRows.length; row++) {
    for (const mark of marksOfRows[row] ?? []) {
      if (!wanted.has(mark)) continue;
      let rows = known.get(mark);
      if (rows === undefined || rows === NO_ROWS) {
        rows = rowRange(marksOfRows.length, 0, 0);
        known.set(mark, rows);
      }
      addRow(rows, row);
    }
  }
}

/** Removes rows that don't match from a set. Texts are searched only if the marks leave any rows. */
export function filterRows(rows: RowSet, index: LeafIndex, { search = "", marks = [] }: RowFilter): void {
  for (const sets of index.rowsOfGroups(marks)) keepRowsOfAny(rows, sets);
  if (search !== "" && hasRows(rows)) keepRowsOfAny(rows, [rowsWith(search, index)]);
}

function rowsWith(search: string, index: LeafIndex): RowSet {
  const { haystack, ends } = index.searchTexts();
  const rows = rowRange(index.size, 0, 0);
  let row = 0;
  let from = 0;
  for (;;) {
    const match = haystack.indexOf(search, from);
    if (match === -1) return rows;
    while (endOf(ends, row) <= match) row++;
    from = endOf(ends, row);
    // A match that continues into the next row doesn't count, and neither does a later one in this row.
    if (match + search.length <= from) addRow(rows, row);
  }
}

function endOf(ends: readonly number[], row: number): number {
  return ends[row] ?? Number.POSITIVE_INFINITY;
}
