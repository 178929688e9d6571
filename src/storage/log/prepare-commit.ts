/** Prepares a commit for the log. */
import type { RowChange } from "../../ports/store.ts";
import type { DocumentWrite, PreparedChanges } from "../commits/prepare-changes.ts";

export interface Commit extends PreparedChanges {
  /** As written to the log. */
  readonly json: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly settled: Promise<void>;
}

/** @param keepsRows Whether documents keep the rows that they have, whatever their version. */
export function prepareCommit({ expectations, writes, derived }: PreparedChanges, keepsRows: boolean): Commit {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const settled = new Promise<void>((onDone, onFailure) => {
    resolve = onDone;
    reject = onFailure;
  });
  return { expectations, writes, derived, json: recordOf(writes, derived, keepsRows), resolve, reject, settled };
}

/** The text of the log. Concatenated instead of joined: documents are long, and each join would copy them. */
function recordOf(writes: readonly DocumentWrite[], derived: readonly RowChange[], keepsRows: boolean): string {
  let documents = "";
  for (const { key, version, json, rows } of writes) {
    documents += `${documents === "" ? "" : ","}["${key}",${version},${json}`;
    documents += rows.length === 0 ? "]" : `,${JSON.stringify(rows)}]`;
  }
  const others = derived.length === 0 ? "" : `,"derived":${JSON.stringify(derived)}`;
  return `{"documents":[${documents}]${others}${keepsRows ? `,"keepsRows":true` : ""}}`;
}
