/** The search index of a leaf: all texts in one string, and the rows of each mark. Built on the first query. */
import { addRow, hasRows, keepRowsOfAny, type RowSet, rowRange } from "./row-bitset.ts";

export interface LeafIndex {
  /** Number of rows in the leaf. */
  readonly size: number;
  /** All texts without separators, so that one search covers the whole leaf. */
  readonly haystack: string;
  /** End of each row's text in the haystack. */
  readonly ends: readonly number[];
  readonly marks: ReadonlyMap<string, RowSet>;
}

/** Filters rows, as in `ListQuery`. */
export interface RowFilter {
  readonly search?: string | undefined;
  readonly marks?: readonly (readonly string[])[] | undefined;
}

export function createLeafIndex(texts: readonly string[], marksOfRows: readonly (readonly string[])[]): LeafIndex {
  const size = texts.length;
  const ends: number[] = [];
  let end = 0;
  for (const text of texts) {
    end += text.length;
    ends.push(end);
  }
  const marks = new Map<string, RowSet>();
  for (let row = 0; row < size; row++) {
    for (const mark of marksOfRows[row] ?? []) {
      let rows = marks.get(mark);
      if (rows === undefined) {
        rows = rowRange(size, 0, 0);
        marks.set(mark, rows);
      }
      addRow(rows, row);
    }
  }
  return { size, haystack: texts.join(""), ends, marks };
}

/** Removes rows that don't match from a set. Texts are searched only if the marks leave any rows. */
export function filterRows(rows: RowSet, index: LeafIndex, { search = "", marks = [] }: RowFilter): void {
  for (const group of marks)
    keepRowsOfAny(
      rows,
      group.flatMap((mark) => index.marks.get(mark) ?? []),
    );
  if (search !== "" && hasRows(rows)) keepRowsOfAny(rows, [rowsWith(search, index)]);
}

function rowsWith(search: string, { size, haystack, ends }: LeafIndex): RowSet {
  const rows = rowRange(size, 0, 0);
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
