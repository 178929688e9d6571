/** Applies the mappings of a collection to the data of a record. Pure. */
import type { JsonValue } from "../../json.ts";
import type { Mapping } from "../mapping.ts";
import type { RecordData, RecordPatch } from "./record.ts";
import { applyPatch, parsePath, valueAt } from "./record-data.ts";

/**
 * Copies the value of each source to its destinations. Each mapping applies once, in order, and sees what earlier ones
 * copied, so that cyclic mappings end.
 *
 * If a write removes the value of a source, destinations that still have the same value lose it, too, unless another mapping
 * sets it. A destination with another value was written separately and keeps its value. So does every destination of a source
 * that never had a value.
 *
 * @param before The data before the write, with mappings applied.
 */
export function applyMappings(before: RecordData, patch: RecordPatch, mappings: readonly Mapping[]): RecordData {
  const data = applyPatch(before, patch);
  return mappings.length === 0 ? data : copyMapped(before, patch, data, mappings);
}

function copyMapped(
  before: RecordData,
  patch: RecordPatch,
  data: RecordData,
  mappings: readonly Mapping[],
): RecordData {
  const cellOf = createCells();
  // Change one copy in place: a copy per destination would cost destinations times fields.
  const fields = createFields(data, cellOf);
  const lostCells = new Map<string, Cell>();
  const lostAt = (path: string): Cell | undefined => {
    const value = valueAt(before, path);
    if (value === undefined) return undefined;
    const cell = lostCells.get(path) ?? cellOf(value);
    lostCells.set(path, cell);
    return cell;
  };
  const givers = createGivers(mappings, (path) => fields.get(path) !== undefined);
  const given = new Set<string>();
  const isKept = (path: string) => given.has(path) || givers.has(path) || isWritten(patch, path);
  for (const { source_path, destination_paths } of mappings) {
    const cell = fields.get(source_path);
    const lost = cell === undefined ? lostAt(source_path) : undefined;
    if (cell === undefined && lost === undefined) continue;
    for (const path of destination_paths) {
      if (cell !== undefined) {
        given.add(path);
        if (fields.get(path) === undefined) givers.count(path, 1);
        fields.set(path, cell);
      } else if (lost !== undefined && !isKept(path) && isSame(lost, fields.get(path))) {
        givers.count(path, -1);
        fields.remove(path);
      }
    }
  }
  return fields.data();
}

/**
 * Counts for each destination the mappings whose source has a value, so that looking them up takes constant time. A path
 * gains and loses its value at most twice in one write, because a value that a mapping has set is not removed again.
 */
function createGivers(mappings: readonly Mapping[], hasValue: (path: string) => boolean) {
  const counts = new Map<string, number>();
  const destinations = new Map<string, (readonly string[])[]>();
  const add = (paths: readonly string[], by: number) => {
    for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + by);
  };
  for (const { source_path, destination_paths } of mappings) {
    const known = destinations.get(source_path);
    if (known === undefined) destinations.set(source_path, [destination_paths]);
    else known.push(destination_paths);
    if (hasValue(source_path)) add(destination_paths, 1);
  }
  return {
    has: (path: string) => (counts.get(path) ?? 0) > 0,
    /** Call this when a path gets a value (1) or loses it (-1). */
    count(path: string, by: 1 | -1): void {
      for (const paths of destinations.get(path) ?? []) add(paths, by);
    },
  };
}

/** A value, with a number that equal values share. */
interface Cell {
  readonly value: JsonValue;
  readonly number: () => number;
}

const isSame = (one: Cell, other: Cell | undefined) => other !== undefined && one.number() === other.number();

/**
 * Writes each value as JSON at most once and numbers the texts, so that further comparisons take constant time: many
 * mappings may have the same source or the same destination, with values of a megabyte.
 */
function createCells() {
  const numbers = new Map<string, number>();
  const numberOf = (value: JsonValue) => {
    const text = JSON.stringify(value);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  return (value: JsonValue): Cell => {
    let known: number | undefined;
    return { value, number: () => (known ??= numberOf(value)) };
  };
}

/** Data to change in place. Removing the last field of an entity removes the entity. */
function createFields(data: RecordData, cellOf: (value: JsonValue) => Cell) {
  const entities = new Map(
    Object.entries(data).map(([entity, fields]) => [
      entity,
      new Map(Object.entries(fields).map(([field, value]) => [field, cellOf(value)])),
    ]),
  );
  return {
    get(path: string): Cell | undefined {
      const [entity, field] = parsePath(path);
      return entities.get(entity)?.get(field);
    },
    set(path: string, cell: Cell): void {
      const [entity, field] = parsePath(path);
      const fields = entities.get(entity) ?? new Map<string, Cell>();
      fields.set(field, cell);
      entities.set(entity, fields);
    },
    remove(path: string): void {
      const [entity, field] = parsePath(path);
      const fields = entities.get(entity);
      fields?.delete(field);
      if (fields?.size === 0) entities.delete(entity);
    },
    data: (): RecordData =>
      Object.fromEntries(
        [...entities].map(([entity, fields]) => [
          entity,
          Object.fromEntries([...fields].map(([field, { value }]) => [field, value])),
        ]),
      ),
  };
}

/** Whether this write sets the field. */
function isWritten(patch: RecordPatch, path: string): boolean {
  const [entity, field] = parsePath(path);
  const fields = Object.hasOwn(patch, entity) ? patch[entity] : null;
  return fields !== null && fields !== undefined && Object.hasOwn(fields, field);
}
