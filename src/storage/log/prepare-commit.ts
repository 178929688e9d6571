/** Prepares a commit: checks its changes and serializes them, so that the caller can modify its objects afterwards. */
import { StepwellError } from "../../errors.ts";
import { type Change, changesDocument, type DerivedChange, type RowChange } from "../../ports/store.ts";
import type { DocumentVersion, DocumentWrite } from "../documents/document-cache.ts";
import { isPut, NO_ROWS } from "../documents/document-rows.ts";
import { isDerivedList, isKey, isListName } from "../keys.ts";

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

export interface Commit extends PreparedChanges {
  /** As written to the log. */
  readonly json: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly settled: Promise<void>;
}

/** @throws StepwellError `internal` for changes that a commit must not contain */
export function prepareCommit(changes: readonly (Change | DerivedChange)[]): Commit {
  const { expectations, writes, derived } = prepareChanges(changes);
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const settled = new Promise<void>((onDone, onFailure) => {
    resolve = onDone;
    reject = onFailure;
  });
  return { expectations, writes, derived, json: recordOf(writes, derived), resolve, reject, settled };
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

/** The text of the log. Concatenated instead of joined: documents are long, and each join would copy them. */
function recordOf(writes: readonly DocumentWrite[], derived: readonly RowChange[]): string {
  let documents = "";
  for (const { key, version, json, rows } of writes) {
    documents += `${documents === "" ? "" : ","}["${key}",${version},${json}`;
    documents += rows.length === 0 ? "]" : `,${JSON.stringify(rows)}]`;
  }
  return `{"documents":[${documents}]${derived.length === 0 ? "" : `,"derived":${JSON.stringify(derived)}`}}`;
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

function writeOf({ key, document, expected }: Change, rows: readonly RowChange[]): DocumentWrite {
  return {
    key,
    version: document === null ? null : (expected ?? 0) + 1,
    json: document === null ? "null" : jsonOf(key, document),
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
