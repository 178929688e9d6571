/** Suggestions for typing mistakes. */

/** The name that was probably meant; undefined if none is similar. */
export function similarTo(typed: string, names: readonly string[]): string | undefined {
  const max = typed.length < LONG ? 1 : 2;
  const [nearest] = names
    .map((name) => ({ name, distance: distance(typed.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= max || (typed.length > 1 && name.startsWith(typed)))
    .sort((one, other) => one.distance - other.distance);
  return nearest?.name;
}

/** Characters of a word in which two mistakes are likely. */
const LONG = 6;

/** Insertions, deletions, substitutions and swaps of neighbors between two short words. */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    rows.push(next);
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
}
