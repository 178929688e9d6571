/** Copies documents, then rows, in batches. Each is one commit together with the position, so that it can be resumed. */
import { StepwellError } from "../../errors.ts";
import type { Document, Key } from "../../ports/store.ts";
import type { ContentDocument, ContentRow, ContentWrite, MovableStore } from "../../ports/store-contents.ts";
import { isDerivedList } from "../keys.ts";
import { MIGRATION_KEY, type MigrationState } from "./migration-state.ts";

/** Limits of a batch. */
const MAX_BATCH_CHARS = 1024 * 1024;
const MAX_BATCH_ROWS = 500;
/** Documents that are read to add rows to them. */
const MAX_OWNERS = 50;

export interface CopyParts {
  readonly from: MovableStore;
  readonly to: MovableStore;
  /** Where an earlier attempt has stopped. */
  readonly state: () => MigrationState;
  /** Commits a batch with the position after it. */
  readonly commit: (
    writes: readonly ContentWrite[],
    derived: readonly ContentRow[],
    next: Partial<MigrationState>,
  ) => Promise<void>;
  /** Copies the bytes of a document, and returns what the target stores. */
  readonly copyBytes: (key: Key, document: Document) => Promise<Document>;
}

export async function copyDocuments({ from, state, commit, copyBytes }: CopyParts): Promise<void> {
  for await (const page of from.contents.documents(state().document)) {
    let writes: ContentWrite[] = [];
    let chars = 0;
    for (const [at, entry] of page.entries()) {
      const write = entry.key === MIGRATION_KEY ? null : await writeOf(entry, copyBytes);
      if (write !== null) writes.push(write);
      chars += write === null ? 0 : write.json.length;
      if (at < page.length - 1 && chars < MAX_BATCH_CHARS) continue;
      await commit(writes, [], { document: entry.key, documents: state().documents + writes.length });
      writes = [];
      chars = 0;
    }
  }
}

async function writeOf(
  { key, version, document, rows = [] }: ContentDocument,
  copyBytes: CopyParts["copyBytes"],
): Promise<ContentWrite> {
  const stored = await copyBytes(key, document);
  const puts = rows.map(({ list, row }) => ({ list, put: row }));
  return { key, version, json: JSON.stringify(stored), rows: puts };
}

/** Copies the rows that did not come with documents. */
export async function copyRows(parts: CopyParts): Promise<void> {
  const { from, state } = parts;
  for await (const page of from.contents.rows(state().row)) {
    let batch: ContentRow[] = [];
    let seen = 0;
    const owners = new Set<string>();
    for (const [at, row] of page.entries()) {
      seen++;
      if (isDerivedList(row.list) || !from.contents.hasRowsInDocuments) batch.push(row);
      owners.add(row.document ?? "");
      if (at < page.length - 1 && owners.size < MAX_OWNERS && batch.length < MAX_BATCH_ROWS) continue;
      await copyBatch(parts, batch, row, state().rows + seen);
      batch = [];
      seen = 0;
      owners.clear();
    }
  }
}

async function copyBatch(
  { to, commit }: CopyParts,
  batch: readonly ContentRow[],
  { list, row: { id, order = id } }: ContentRow,
  rows: number,
): Promise<void> {
  const derived = batch.filter((row) => isDerivedList(row.list));
  const owned = batch.filter((row) => !isDerivedList(row.list));
  await commit(await withRows(to, owned), derived, { row: { list, order, id }, rows });
}

/** The documents of the target with more rows. */
async function withRows(to: MovableStore, rows: readonly ContentRow[]): Promise<readonly ContentWrite[]> {
  const byOwner = new Map<Key, ContentRow[]>();
  for (const row of rows) {
    if (row.document === null) throw orphaned(row);
    const others = byOwner.get(row.document);
    if (others === undefined) byOwner.set(row.document, [row]);
    else others.push(row);
  }
  const found = await to.getMany([...byOwner.keys()]);
  return [...byOwner].map(([key, own], at) => {
    const stored = found[at] ?? null;
    if (stored === null) throw orphaned(own[0]);
    const puts = own.map(({ list, row }) => ({ list, put: row }));
    return { key, version: stored.version, json: JSON.stringify(stored.document), rows: puts };
  });
}

function orphaned(row: ContentRow | undefined): StepwellError {
  const place = `${row?.list}/${row?.row.id}`;
  const owner = row?.document == null ? "names no document" : `belongs to "${row.document}", which is missing`;
  return new StepwellError(
    "unavailable",
    `The source is damaged: the row "${place}" ${owner}. Restore a backup of it.`,
  );
}
