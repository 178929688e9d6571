/** Records as rows of CSV. A first pass finds the columns, and keeps as many rows as fit into memory for the second. */
import { invalid } from "../../messages/field-errors.ts";
import type { FieldBudget } from "../records/field-budget.ts";
import { MAX_FIELDS, type RecordData } from "../records/record.ts";
import { valueAt } from "../records/record-data.ts";
import { cellOf, guarded } from "./cells.ts";
import type { Chunks, ExportText, SelectRecords } from "./export-text.ts";
import type { HeldRows } from "./held-rows.ts";

type Stringify = typeof import("csv-stringify/sync").stringify;

/** The columns that the caller chose. */
export function textOfFields(fields: readonly string[], select: SelectRecords, budget: FieldBudget): ExportText {
  const columns = [...new Set(fields)];
  return { texts: textOf(columns, rowsOf(columns, select(undefined), budget), budget), release: () => undefined };
}

/**
 * A column for each field that any of the records has, in the order in which they are found.
 * @throws StepwellError `invalid` for too many columns
 */
export async function textOfAllFields(
  select: SelectRecords,
  held: HeldRows,
  budget: FieldBudget,
  signal: AbortSignal | undefined,
): Promise<ExportText> {
  try {
    const { columns, rest } = await findColumns(select(undefined), held, budget, signal);
    const rows = async function* () {
      yield* held.take();
      if (rest !== undefined) yield* rowsOf(columns, select(rest.after), budget);
    };
    return { texts: textOf(columns, rows(), budget), release: held.discard };
  } catch (error) {
    held.discard();
    throw error;
  }
}

/** @returns The columns, and the position after which the records have to be read again, if any. */
async function findColumns(chunks: Chunks, held: HeldRows, budget: FieldBudget, signal: AbortSignal | undefined) {
  const columns = new Map<string, number>();
  let rest: { readonly after: string | undefined } | undefined;
  let last: string | undefined;
  for await (const { records, position } of readAhead(chunks)) {
    signal?.throwIfAborted();
    const rows: string[][] = [];
    for (const { data } of records) {
      const cells = cellsOf(data, columns);
      rows.push(cells);
      const turn = budget.spend(cells.length);
      if (turn !== undefined) await turn;
    }
    if (rest === undefined && !held.hold(rows)) rest = { after: last };
    last = position;
  }
  return { columns: [...columns.keys()], rest };
}

/** Reads the next chunk while one is processed. */
async function* readAhead(chunks: Chunks): Chunks {
  try {
    let next = chunks.next();
    for (let found = await next; found.done !== true; found = await next) {
      next = chunks.next();
      next.catch(() => undefined); // it is awaited, unless the caller has ended
      yield found.value;
    }
  } finally {
    await chunks.return();
  }
}

/** The cells of a record, up to the last column that it has. Adds the columns that are new. */
function cellsOf(data: RecordData, columns: Map<string, number>): string[] {
  const cells: string[] = [];
  for (const [entity, fields] of Object.entries(data)) {
    for (const [field, value] of Object.entries(fields)) {
      const index = indexOf(`${entity}:${field}`, columns);
      while (cells.length < index) cells.push("");
      cells[index] = cellOf(value);
    }
  }
  return cells;
}

function indexOf(column: string, columns: Map<string, number>): number {
  const known = columns.get(column);
  if (known !== undefined) return known;
  if (columns.size === MAX_FIELDS) throw tooManyColumns();
  columns.set(column, columns.size);
  return columns.size - 1;
}

async function* rowsOf(
  columns: readonly string[],
  chunks: Chunks,
  budget: FieldBudget,
): AsyncGenerator<string[][], void> {
  for await (const { records } of chunks) {
    for (const some of slicesOf(records, budget.recordsAtOnce(columns.length))) {
      yield some.map(({ data }) =>
        columns.map((column) => {
          const value = valueAt(data, column);
          return value === undefined ? "" : cellOf(value);
        }),
      );
    }
  }
}

function* slicesOf<T>(items: readonly T[], size: number): Generator<readonly T[], void> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** @param rows They may lack cells at the end, which are added. */
async function* textOf(
  columns: readonly string[],
  rows: AsyncIterable<string[][]>,
  budget: FieldBudget,
): AsyncGenerator<string, void> {
  const { length } = columns;
  if (length === 0) return;
  const { stringify } = await import("csv-stringify/sync");
  yield csvOf(stringify, [columns.map(guarded)], true);
  for await (const chunk of rows) {
    for (const some of slicesOf(chunk, budget.recordsAtOnce(length))) {
      for (const row of some) while (row.length < length) row.push("");
      yield csvOf(stringify, some, length === 1); // an empty cell alone would be a blank line
      const turn = budget.spend(some.length * length);
      if (turn !== undefined) await turn;
    }
  }
}

function csvOf(stringify: Stringify, rows: readonly (readonly string[])[], isQuoted: boolean): string {
  const options = { record_delimiter: "windows" as const, quoted_match: /[\r\n]/ };
  return stringify([...rows], { ...options, quoted: isQuoted, quoted_empty: isQuoted });
}

function tooManyColumns() {
  const message = `The records have more than ${MAX_FIELDS} different fields, too many for CSV. Name some, or use format=jsonl.`;
  return invalid([{ in: "query", pointer: "/fields", message }]);
}
