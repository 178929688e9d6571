/** The delimiter and the header of CSV. Pure. */
import * as v from "valibot";
import { StepwellError } from "../../errors.ts";
import { FieldPath } from "../mapping.ts";
import { unguarded } from "./cells.ts";

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const LF = 10;
const CR = 13;
const QUOTE = 34;

/** The delimiter that the first line has most often outside of quotes; a comma if it has none. */
export function detectDelimiter(bytes: Uint8Array): Delimiter {
  const counts = new Map(DELIMITERS.map((delimiter) => [delimiter.charCodeAt(0), 0]));
  let isQuoted = false;
  let hasText = false;
  for (const byte of bytes) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted && (byte === LF || byte === CR)) {
      if (hasText) break;
      continue;
    }
    hasText = true;
    const count = isQuoted ? undefined : counts.get(byte);
    if (count !== undefined) counts.set(byte, count + 1);
  }
  let best: Delimiter = ",";
  const countOf = (delimiter: Delimiter) => counts.get(delimiter.charCodeAt(0)) ?? 0;
  for (const delimiter of DELIMITERS) if (countOf(delimiter) > countOf(best)) best = delimiter;
  return best;
}

/** The fields that the columns have. @throws StepwellError `invalid` with a message that fails the job */
export function columnsOf(header: readonly string[]): readonly string[] {
  const columns = header.map(unguarded);
  const known = new Set<string>();
  for (const [index, column] of columns.entries()) {
    const name = JSON.stringify(column.slice(0, 100));
    if (!v.is(FieldPath, column)) {
      throw wrongHeader(`Column ${index + 1} is ${name}. It must have the form entity:field, such as "loan:amount"`);
    }
    if (known.has(column)) throw wrongHeader(`It has the column ${name} twice. Remove one of them`);
    known.add(column);
  }
  return columns;
}

/** The fields that a caller has given the columns. @throws StepwellError `invalid` if there are more or fewer columns */
export function givenColumns(header: readonly string[], columns: readonly string[]): readonly string[] {
  if (header.length === columns.length) return columns;
  throw wrongHeader(`It has ${header.length} columns, but "columns" has ${columns.length}`);
}

const wrongHeader = (message: string) => new StepwellError("invalid", `The header is wrong. ${message}.`);
