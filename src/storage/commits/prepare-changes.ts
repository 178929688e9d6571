/** Prepares a commit: checks its changes and serializes them, so that the caller can modify its objects afterwards. */
import { StepwellError } from "../../errors.ts";
import { type Change, changesDocument, type DerivedChange, type RowChange } from "../../ports/store.ts";
import { isDerivedList, isKey, isListName } from "../keys.ts";
import { isPut, NO_ROWS } from "./document-rows.ts";

/** A version, or null if there is no document. */
export type DocumentVersion = number | null;

/** A change of one document in a commit. */
export interface DocumentWrite {
  readonly key: string;
  /** The version after the change, or null if the document is deleted. */
  readonly version: number | null;
  readonly json: string;
  /** Changes of the document's rows. */
  readonly rows: readonly RowChange[];
  /** Whether no document existed before. Known only for writes of this process. */
  readonly isNew: boolean;
}

export interface Expectation {
  readonly key: string;
  readonly expected: DocumentVersion;
}

/** Checked and serialized changes. */
export interface PreparedChanges {
  readonly expectations: readonly Expectation[];
  readonly writes: readonly DocumentWrite[];
  /** Changes of derived lists. */
  readonly derived: readonly RowChange[];
}

/** @throws StepwellError `internal` for changes that a commit must not contain */
export function prepareChanges(changes: readonly (Change | DerivedChange)[]): PreparedChanges {
  const writes: DocumentWrite[] = [];
  const expectations: Expectation[] = [];
  const derived: RowChange[] = [];
  for (const change of changes) {
    if (!isKey(change.key)) throw invalidCommitError(`${JSON.stringify(change.key)} is not a valid document key.`);
    const [owned, others] = rowsOf(change);
    for (const row of others) derived.push(row);
    if (change.expected !== undefined) expectations.push({ key: change.key, expected: change.expected });
    if (changesDocument(change)) writes.push(writeOf(change, owned));
    else if (owned.length > 0) throw invalidCommitError(`Rows of "${change.key}" change without the document.`);
  }
  if (writes.length > 1 && new Set(writes.map((write) => write.key)).size !== writes.length) {
    throw invalidCommitError("A commit changes the same document twice.");
  }
  return { expectations, writes, derived };
}

/** The rows that are stored with the document, and those of derived lists. */
function rowsOf({ rows = NO_ROWS }: Change | DerivedChange): readonly [readonly RowChange[], readonly RowChange[]] {
  if (rows.length === 0) return [NO_ROWS, NO_ROWS];
  for (const { list } of rows) {
    if (!isListName(list)) throw invalidCommitError(`${JSON.stringify(list)} is not a valid list name.`);
  }
  const copies = copyOf(rows);
  const derived = copies.filter(({ list }) => isDerivedList(list));
  if (derived.length === 0) return [copies, NO_ROWS];
  return [copies.filter(({ list }) => !isDerivedList(list)), derived];
}

/** Copies rows, because they stay in memory and the caller may modify its objects. */
function copyOf(rows: readonly RowChange[]): readonly RowChange[] {
  return rows.map((change) =>
    isPut(change)
      ? {
          list: change.list,
          put: { ...change.put, marks: change.put.marks && [...change.put.marks] },
        }
      : change,
  );
}

function writeOf({ key, document, json, expected }: Change, rows: readonly RowChange[]): DocumentWrite {
  return {
    key,
    version: document === null ? null : (expected ?? 0) + 1,
    json: document === null ? "null" : (json ?? jsonOf(key, document)),
    rows,
    isNew: expected == null,
  };
}

function jsonOf(key: string, document: object): string {
  let json: unknown;
  let reason = "it is not a plain object";
  try {
    json = JSON.stringify(document);
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  if (typeof json === "string" && json.startsWith("{")) return json;
  throw invalidCommitError(`The document "${key}" cannot be converted to JSON: ${reason}.`);
}

function invalidCommitError(message: string): StepwellError {
  return new StepwellError("internal", message);
}
