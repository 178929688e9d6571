/** Operations that slices share: optimistic updates of documents, and lists of documents as pages. */
import { damaged } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import type { Change, DerivedChange, Document, Key, ListQuery, Store, Stored } from "../ports/store.ts";
import { createPageSize, ITEMS_PER_READ } from "./page-size.ts";
import { foldText, type Page } from "./pagination.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";

/** An update of a document: the changes to commit, and the result to return. */
export interface Update<Result> {
  readonly changes: readonly (Change | DerivedChange)[];
  readonly result: Result;
}

/**
 * Reads a document, decides on an update and commits it. Starts over if another writer has changed the document
 * meanwhile.
 *
 * `decide` must use the document's version as `expected`, and may be called several times. If it rejects, nothing
 * changes. A conflict on any other document is not retried but passed on to the caller.
 */
export async function updateDocument<T extends Document, Result>(
  store: Store,
  key: Key,
  decide: (found: Stored<T> | null) => Update<Result> | Promise<Update<Result>>,
): Promise<Result> {
  return retryOnConflict(
    (changed) => changed === key,
    async () => {
      const { changes, result } = await decide(await store.get<T>(key));
      if (changes.length > 0) await store.commit(changes);
      return result;
    },
  );
}

/**
 * Reads a document and the one that it refers to. Both are created and deleted in the same commit, so a missing one
 * means damage.
 * @throws StepwellError `unavailable` if the referenced document is missing.
 */
export async function getNamed<T extends Document, Named extends Document>(
  store: Store,
  key: Key,
  nameIn: (document: T) => Key,
): Promise<{ readonly found: Stored<T>; readonly named: Stored<Named> } | null> {
  for (;;) {
    const found = await store.get<T>(key);
    if (found === null) return null;
    const name = nameIn(found.document);
    const named = await store.get<Named>(name);
    if (named !== null) return { found, named };
    // Another writer may have deleted both since the first read.
    const now = await store.get<T>(key);
    if (now !== null && nameIn(now.document) === name) throw damaged(name, "The document");
  }
}

/**
 * For each kind of document that depends on another one: returns the keys of which one must exist, or none if the document
 * depends on nothing. A repair deletes documents that depend on a lost one.
 */
export type References = Readonly<Record<string, (document: Document, key: string) => readonly Key[]>>;

/** Which page of a list to return, and how to filter it. */
export interface PageQuery {
  readonly page: number;
  readonly take: number;
  readonly page_token?: string | undefined;
  /** Search text as the caller wrote it, not folded. */
  readonly search?: string | undefined;
  readonly marks?: ListQuery["marks"];
  readonly from?: ListQuery["from"];
  readonly until?: ListQuery["until"];
  /** Whether the newest come first. @default true */
  readonly descending?: boolean;
}

/** Returns the groups of marks that filter rows by this value. Without a value, all rows match. */
export function marksOf(name: string, value: string | undefined): readonly (readonly string[])[] {
  return value === undefined ? [] : [[`${name}:${value}`]];
}

/**
 * Returns a page of a list's documents, newest first. Skips documents that were deleted meanwhile.
 * @param view Returns null for a document that must no longer be shown.
 * @throws StepwellError `invalid` if the items are too large for one page
 */
export async function listPage<T extends Document, Item>(
  store: Store,
  list: string,
  query: PageQuery,
  keyOf: (id: string) => Key,
  view: (document: T) => Item | null | Promise<Item | null>,
): Promise<Page<Item>> {
  const { page, take, page_token, search = "", marks, from, until, descending = true } = query;
  const chosen: ListQuery = {
    limit: take,
    offset: page_token === undefined ? (page - 1) * take : 0,
    after: page_token,
    search: foldText(search) || undefined,
    ...{ marks, from, until, descending },
  };
  const items: Item[] = [];
  const size = createPageSize();
  const read = async (query: ListQuery) => {
    const rows = await store.listDocuments<T>(list, { ...query, limit: Math.min(query.limit, ITEMS_PER_READ) }, keyOf);
    for (const { document } of rows.documents) {
      const viewed = view(document);
      const item = viewed instanceof Promise ? await viewed : viewed; // most are not, and each await costs
      if (item === null) continue;
      size.require(item);
      items.push(item);
    }
    return rows;
  };
  const first = await read(chosen);
  let next = first.next;
  for (let left = take - ITEMS_PER_READ; left > 0 && next !== undefined; left -= ITEMS_PER_READ) {
    next = (await read({ ...chosen, limit: left, offset: 0, after: next, withoutTotal: true })).next;
  }
  return {
    items,
    page,
    take,
    more: next !== undefined,
    ...omitUndefined({ total: first.total, next_page_token: next }),
  };
}

/**
 * Deletes every document of a list, and rows whose document is gone. Ends early when `isStopped` returns true.
 * @param deletion Returns the change that deletes a document with its row, or several changes to commit together.
 */
export async function deleteAllListed<T extends Document>(
  store: Store,
  list: string,
  keyOf: (id: string) => Key,
  deletion: (document: T, version: number) => Change | readonly Change[],
  isStopped: () => boolean,
): Promise<void> {
  for await (const id of rowIds(store, list)) {
    if (isStopped()) return;
    const key = keyOf(id);
    const rowDeletion: Change = { key, document: null, expected: null, rows: [{ list, delete: id }] };
    await updateDocument<T, void>(store, key, (found) => ({
      changes: [found === null ? rowDeletion : deletion(found.document, found.version)].flat(),
      result: undefined,
    }));
  }
}

/** Number of rows read at once. */
const ROWS_PER_READ = 100;

/**
 * Yields the ids of all rows of a list in ascending order, reading them on demand. Rows added or removed meanwhile may
 * or may not be included.
 * @param chosen Filters the rows, as in `ListQuery`.
 */
export async function* rowIds(
  store: Store,
  list: string,
  chosen: Pick<ListQuery, "from" | "until" | "marks"> = {},
): AsyncGenerator<string, void> {
  for (let after: string | undefined; ; ) {
    const page = await store.list(list, {
      limit: ROWS_PER_READ,
      descending: false,
      withoutTotal: true,
      ...chosen,
      after,
    });
    yield* page.ids;
    if (page.next === undefined) return;
    after = page.next;
  }
}
