/** Prepares a commit for the log. */
import type { Change, DerivedChange, RowChange } from "../../ports/store.ts";
import { type DocumentWrite, type PreparedChanges, prepareChanges } from "../commits/prepare-changes.ts";

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

/** The text of the log. Concatenated instead of joined: documents are long, and each join would copy them. */
function recordOf(writes: readonly DocumentWrite[], derived: readonly RowChange[]): string {
  let documents = "";
  for (const { key, version, json, rows } of writes) {
    documents += `${documents === "" ? "" : ","}["${key}",${version},${json}`;
    documents += rows.length === 0 ? "]" : `,${JSON.stringify(rows)}]`;
  }
  return `{"documents":[${documents}]${derived.length === 0 ? "" : `,"derived":${JSON.stringify(derived)}`}}`;
}
