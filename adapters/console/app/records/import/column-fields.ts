/** The fields to which an import copies the columns of a file, until a person chooses others. Pure. */
import * as v from "valibot";
import { FieldPath } from "../../../../../src/collections/mapping.ts";
import { ImportColumns } from "../../../../../src/collections/transfer/import-columns.ts";
import { ruleKeyOf } from "../../collections/rule-key.ts";
import type { CsvColumn } from "./csv-columns.ts";

/** The entity of a collection without fields. */
const ANY_ENTITY = "record";

/** Whether the header names fields, so that nothing has to be chosen. */
export const namesFields = (columns: readonly CsvColumn[]): boolean =>
  problemsOf(columns.map(({ name }) => name)).size === 0 && columns.every(({ name }) => name !== "");

/** The entity that most of the fields have. */
export function usualEntity(fields: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const field of fields) {
    const entity = field.slice(0, field.indexOf(":"));
    counts.set(entity, (counts.get(entity) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? ANY_ENTITY;
}

/**
 * A field for each column: the one that it names, one of the collection with its name, or a new one. A column without a
 * name is left out.
 */
export function suggestedFields(
  columns: readonly CsvColumn[],
  entity: string,
  known: readonly string[],
): readonly string[] {
  const free = new Map(known.map((field) => [ruleKeyOf(field.slice(field.indexOf(":") + 1)), field]));
  return columns.map(({ name }) => {
    if (v.is(FieldPath, name)) return name;
    const key = ruleKeyOf(name);
    const field = free.get(key);
    free.delete(key);
    return field ?? (key === "" ? "" : `${entity}:${key}`);
  });
}

/** What is wrong with the fields, by the index of their column; that of a whole list is at its first column. */
export function problemsOf(fields: readonly string[]): ReadonlyMap<number, string> {
  const found = v.safeParse(ImportColumns, fields);
  return new Map((found.issues ?? []).map(({ path, message }) => [Number(path?.[0]?.key ?? 0), message]));
}
