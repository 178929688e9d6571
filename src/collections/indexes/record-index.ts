/** The indexes of a collection: the fields that are indexed, and the state of each index. Pure. */
import * as v from "valibot";
import { list, strictObject } from "../../schema.ts";
import { FieldPath } from "../mapping.ts";

/** Each index has a row in memory for each record. */
const MAX_INDEXES = 16;

/** Fields, as `entity:field`. */
export const IndexPaths = v.pipe(
  list(FieldPath),
  v.maxLength(MAX_INDEXES, `Must have at most ${MAX_INDEXES} fields.`),
  v.check((paths) => new Set(paths).size === paths.length, "Must not name a field twice."),
);

export const IndexState = strictObject({
  /** Field, as `entity:field`. */
  path: v.string(),
  /** `building`: records are being added to the index, and no query uses it yet. */
  state: v.picklist(["building", "ready"]),
});
/** The state of an index. */
export interface IndexState extends v.InferOutput<typeof IndexState> {}

/** An index as stored with its collection. */
export interface RecordIndex {
  /** `idx_…`. An index that is removed and added again gets another. */
  readonly id: string;
  readonly path: string;
  readonly state: IndexState["state"] | "removing";
  /** Id of the last record that was added to an index in state `building`. */
  readonly built_until?: string;
}

/** A derived list: its rows are not stored with records, so building an index does not store every record again. */
export const indexList = (indexId: string) => `derived.record-index.${indexId}`;

/** Collections with indexes to build or remove. The work resumes when a process starts. */
export const INDEXING_LIST = "collections.indexing";

export const hasIndexWork = (indexes: readonly RecordIndex[] = []) => indexes.some(({ state }) => state !== "ready");

/**
 * The indexes of a collection after its list of paths changed.
 * @param isEmpty Whether the collection never had a record, so that a new index is complete.
 */
export function replaceIndexes(
  before: readonly RecordIndex[] = [],
  paths: readonly string[],
  newId: () => string,
  isEmpty: boolean,
): readonly RecordIndex[] {
  const state = isEmpty ? "ready" : "building";
  const kept = new Map(before.filter((index) => index.state !== "removing").map((index) => [index.path, index]));
  const after = paths.map((path) => kept.get(path) ?? ({ id: newId(), path, state } as const));
  const ids = new Set(after.map(({ id }) => id));
  const removed = before.filter(({ id }) => !ids.has(id));
  return [...after, ...removed.map(({ id, path }) => ({ id, path, state: "removing" }) as const)];
}

/** For callers, in the order of the paths. */
export function indexStates(indexes: readonly RecordIndex[] = []): IndexState[] {
  return indexes.flatMap(({ path, state }) => (state === "removing" ? [] : [{ path, state }]));
}
