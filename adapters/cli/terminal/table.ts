/** Prints rows in columns. */
import { printable } from "./shell.ts";

/** Lines with columns of equal width. The last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of shown) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return shown
    .map((row) => row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))))
    .map((row) => row.join("  ").trimEnd())
    .join("\n");
}
