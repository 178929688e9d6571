/** Sets of the rows of a leaf with one bit per row, so that filters combine 32 rows at a time. */

export type RowSet = Uint32Array;

const BITS = 32;

/** The rows from `start` up to, but not including, `end`. @param size Number of rows in the leaf. */
export function rowRange(size: number, start: number, end: number): RowSet {
  const set = new Uint32Array(Math.ceil(size / BITS));
  if (start >= end) return set;
  const first = start >>> 5;
  const last = (end - 1) >>> 5;
  set.fill(-1, first, last + 1);
  set[first] = wordAt(set, first) & (-1 << (start % BITS));
  set[last] = wordAt(set, last) & (-1 >>> (BITS - 1 - ((end - 1) % BITS)));
  return set;
}

export function addRow(set: RowSet, row: number): void {
  const word = row >>> 5;
  set[word] = wordAt(set, word) | (1 << (row % BITS));
}

/** Keeps only rows that are in at least one of the others. */
export function keepRowsOfAny(set: RowSet, others: readonly RowSet[]): void {
  for (let word = 0; word < set.length; word++) {
    let any = 0;
    for (const other of others) any |= wordAt(other, word);
    set[word] = wordAt(set, word) & any;
  }
}

/** Number of rows that are in at least one set of each group. Copies nothing, because totals count every leaf of a list. */
export function countRowsOfGroups(groups: readonly (readonly RowSet[])[], size: number): number {
  let count = 0;
  const words = Math.ceil(size / BITS);
  for (let word = 0; word < words; word++) {
    let all = -1; // sets have no rows beyond the size
    for (const sets of groups) {
      let any = 0;
      for (const set of sets) any |= wordAt(set, word);
      all &= any;
      if (all === 0) break;
    }
    if (all !== 0) count += countBits(all);
  }
  return count;
}

export function hasRows(set: RowSet): boolean {
  return set.some((word) => word !== 0);
}

export function countRows(set: RowSet): number {
  let count = 0;
  for (const word of set) count += countBits(word);
  return count;
}

/** Parallel bit count: adds up neighboring bits, pairs and groups of four; the product adds up the bytes. */
function countBits(word: number): number {
  let sums = word - ((word >>> 1) & 0x55555555);
  sums = (sums & 0x33333333) + ((sums >>> 2) & 0x33333333);
  sums = (sums + (sums >>> 4)) & 0x0f0f0f0f;
  return Math.imul(sums, 0x01010101) >>> 24;
}

/** The rows in ascending order. */
export function rowsOf(set: RowSet): number[] {
  const rows: number[] = [];
  for (let word = 0; word < set.length; word++) {
    for (let left = wordAt(set, word); left !== 0; left &= left - 1) {
      rows.push(word * BITS + BITS - 1 - Math.clz32(left & -left));
    }
  }
  return rows;
}

function wordAt(set: RowSet, word: number): number {
  return set[word] ?? 0;
}
