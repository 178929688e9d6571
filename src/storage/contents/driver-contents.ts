/**
 * Reads all contents of a driver as a checkpoint has stored them, and writes those of another store. Memory holds a
 * segment of each level, or a leaf of a list.
 */
import { damaged, StepwellError } from "../../errors.ts";
import type { ContentDocument, ContentRow, RowPlace, StoreContents } from "../../ports/store-contents.ts";
import { contentChanges } from "../commits/content-changes.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import type { Ownership } from "../driver/ownership.ts";
import { CATALOG, isKey } from "../keys.ts";
import { isEmptyList } from "../lists/catalog.ts";
import { comparePositions } from "../lists/position.ts";
import { createStoredLists } from "../lists/stored-list.ts";
import { readAllRows, rowsOf } from "../lists/stored-rows.ts";
import type { Checkpoint } from "../log/checkpoint.ts";
import type { CommitQueue } from "../log/commit-queue.ts";
import type { WriteAheadLog } from "../log/write-ahead-log.ts";
import type { DocumentSegments } from "../segments/document-segments.ts";
import type { EntryContent } from "../segments/entry.ts";
import { readInOrder } from "../segments/read-in-order.ts";

export function createDriverContents(parts: {
  readonly open: () => Promise<void>;
  readonly items: ChecksummedItems;
  readonly ownership: Ownership;
  readonly segments: DocumentSegments;
  readonly log: WriteAheadLog;
  readonly checkpoint: Checkpoint;
  readonly commits: CommitQueue;
}): StoreContents {
  const { open, items, ownership, segments, log, checkpoint, commits } = parts;
  const lists = createStoredLists(items);

  /** Everything is in segments and lists then. */
  async function storeAll(): Promise<void> {
    await open();
    ownership.check();
    await checkpoint.finish();
    if (checkpoint.failure === null) return;
    const reason = checkpoint.failure instanceof Error ? checkpoint.failure.message : String(checkpoint.failure);
    const message = `The storage could not complete a checkpoint (log record ${log.next - 1}): ${reason}`;
    throw new StepwellError("unavailable", message, { cause: checkpoint.failure });
  }

  async function readLeaves(name: string): Promise<readonly string[]> {
    const root = await lists.rootItemOf(name).read();
    if (root === null) throw damaged(`list:${name}`, `The list "${name}"`);
    return root.leaves.map(([leaf]) => leaf);
  }

  /** Names of the lists with rows. */
  async function readNames(): Promise<readonly string[]> {
    const rows = await readAllRows(lists, CATALOG, "unknown");
    return rows.filter(({ marks = [] }) => !isEmptyList(marks)).map(({ id }) => id);
  }

  return {
    hasRowsInDocuments: true,

    async *documents(after) {
      await storeAll();
      for await (const entries of readInOrder({
        levels: segments.levels,
        readAll: segments.readAll,
        codec: items.codec,
        after,
      })) {
        yield entries.flatMap(documentOf);
      }
    },

    async *rows(after) {
      await storeAll();
      for (const list of (await readNames()).toSorted()) {
        if (list === CATALOG || (after !== null && list < after.list)) continue;
        for (const leaf of await readLeaves(list)) {
          const rows = rowsOf(await lists.readLeaf(list, leaf)).map((row) => ({ list, row, document: null }));
          const left = rows.filter((row) => isBehind(row, after));
          if (left.length > 0) yield left;
        }
      }
    },

    async write(writes, derived) {
      await open();
      await commits.writeContents(contentChanges(writes, derived));
    },
  };
}

function documentOf({ key, document }: EntryContent): ContentDocument[] {
  if (document === null || !isKey(key)) return [];
  const rows = document.rows.map(({ list, put }) => ({ list, row: put, document: key }));
  return [{ key, version: document.version, document: document.document, rows }];
}

function isBehind({ list, row }: ContentRow, after: RowPlace | null): boolean {
  if (after === null || list !== after.list) return true;
  return comparePositions({ order: row.order ?? row.id, id: row.id }, after) > 0;
}
