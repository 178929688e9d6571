/** Reads and writes everything that a store contains. */
import type { Document, Row } from "../../../src/ports/store.ts";
import type { ContentRow, StoreContents } from "../../../src/ports/store-contents.ts";
import { contentChanges } from "../../../src/storage/commits/content-changes.ts";
import type { PreparedChanges } from "../../../src/storage/commits/prepare-changes.ts";
import { isKey } from "../../../src/storage/keys.ts";
import { givenEntry } from "./commits/row-script.ts";
import { CONTENT_DOCUMENTS, CONTENT_NAMES, CONTENT_ROWS, INDEX_CONTENTS } from "./content-scripts.ts";
import { memberOf, positionOf } from "./lists/bounds.ts";
import type { Read } from "./lists/read.ts";
import { textsOf } from "./script.ts";

const MAX_DOCUMENTS = 100;
const MAX_ROWS = 500;

/** @param commit Stores changes as any other commit. */
export function createContents(read: Read, commit: (changes: PreparedChanges) => Promise<void>): StoreContents {
  /** Redis has no order of keys, so they are put into two sets, which expire. */
  async function index(): Promise<void> {
    for (let cursor = "0", isFirst = true; isFirst || cursor !== "0"; isFirst = false) {
      const [next] = await read("listing", INDEX_CONTENTS, [cursor]);
      cursor = String(next);
    }
  }

  async function* rowsOf(list: string, after: string | null): AsyncGenerator<readonly ContentRow[], void> {
    for (let last = after; ; ) {
      const [members, entries] = await read("listing", CONTENT_ROWS, [list, lowest(last), MAX_ROWS]);
      const found = textsOf(members);
      if (found.length === 0) return;
      const stored = textsOf(entries);
      last = found.at(-1) ?? null;
      yield found.map((member, at) => contentRow(list, member, stored[at] ?? ""));
    }
  }

  return {
    hasRowsInDocuments: false,

    async *documents(after) {
      await index();
      for (let last = after; ; ) {
        const [keys, texts] = await read("reading documents", CONTENT_DOCUMENTS, [lowest(last), MAX_DOCUMENTS]);
        const found = textsOf(keys);
        if (found.length === 0) return;
        const stored = textsOf(texts);
        last = found.at(-1) ?? null;
        yield found.flatMap((key, at) => (isKey(key) ? [{ key, ...storedIn(stored[at] ?? "") }] : []));
      }
    },

    async *rows(after) {
      await index();
      if (after !== null) yield* rowsOf(after.list, memberOf(after));
      for (let last = after?.list ?? null; ; ) {
        const [names] = await read("listing", CONTENT_NAMES, [lowest(last), 1]);
        const [name] = textsOf(names);
        if (name === undefined) return;
        yield* rowsOf(name, null);
        last = name;
      }
    },

    write: (writes, derived) => commit(contentChanges(writes, derived)),
  };
}

const lowest = (after: string | null) => (after === null ? "-" : `(${after}`);

function storedIn(text: string): { readonly version: number; readonly document: Document } {
  const at = text.indexOf(" ");
  const document: object = JSON.parse(text.slice(at + 1));
  return { version: Number(text.slice(0, at)), document };
}

function contentRow(list: string, member: string, entry: string): ContentRow {
  const { order, id } = positionOf(member);
  const { document, marks, text } = givenEntry(id, entry);
  const row: Row = {
    id,
    order: order === id ? undefined : order,
    text: text === "" ? undefined : text,
    marks: marks.length === 0 ? undefined : marks,
  };
  return { list, row, document: isKey(document) ? document : null };
}
