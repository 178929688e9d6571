/** What a query looks at in a leaf: all texts in one, and which rows carry a mark. Made when a query first comes by. */
import { addRow, hasRows, keepRowsOfAny, type RowSet, rowRange } from "./row-bitset.ts";

export interface LeafIndex {
  /** Rows of the leaf. */
  readonly size: number;
  /** The texts without anything in between: one look for a search passes over the whole leaf. */
  readonly haystack: string;
  /** Where in the haystack the text of each row ends. */
  readonly ends: readonly number[];
  readonly marks: ReadonlyMap<string, RowSet>;
}

/** What the rows are chosen by, as in `ListQuery`. */
export interface RowFilter {
  readonly search?: string;
  readonly marks?: readonly (readonly string[])[];
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

/** Takes out of a set of the leaf's rows those that are not chosen. Texts are looked at only if a mark leaves a row. */
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
    const hit = haystack.indexOf(search, from);
    if (hit === -1) return rows;
    while (endOf(ends, row) <= hit) row++;
    from = endOf(ends, row);
    // A match that goes on into the next row is none, and nor is any that begins behind it in this row.
    if (hit + search.length <= from) addRow(rows, row);
  }
}

function endOf(ends: readonly number[], row: number): number {
  return ends[row] ?? Number.POSITIVE_INFINITY;
}
