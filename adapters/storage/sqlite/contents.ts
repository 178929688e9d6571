/** Reads and writes everything that a store contains. */
import type { StoreContents } from "../../../src/ports/store-contents.ts";
import { contentChanges } from "../../../src/storage/commits/content-changes.ts";
import type { PreparedChanges } from "../../../src/storage/commits/prepare-changes.ts";
import { isKey } from "../../../src/storage/keys.ts";
import type { Connection } from "./connection.ts";

type Reading = <T>(read: (connection: Connection) => T) => Promise<T>;

/** @param commit Stores changes as any other commit. */
export function createContents(reading: Reading, commit: (changes: PreparedChanges) => Promise<void>): StoreContents {
  return {
    hasRowsInDocuments: false,

    async *documents(after) {
      for (let last = after ?? ""; ; ) {
        const page = await reading(({ documents }) => documents.page(last));
        if (page.length === 0) return;
        last = page.at(-1)?.key ?? last;
        yield page.flatMap(({ key, ...stored }) => (isKey(key) ? [{ key, ...stored }] : []));
      }
    },

    async *rows(after) {
      for (let last = after; ; ) {
        const page = await reading(({ rows }) => rows.page(last));
        const end = page.at(-1);
        if (end === undefined) return;
        last = { list: end.list, order: end.row.order ?? end.row.id, id: end.row.id };
        yield page;
      }
    },

    write: (writes, derived) => commit(contentChanges(writes, derived)),
  };
}
