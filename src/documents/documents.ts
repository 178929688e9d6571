/** What every slice does with its documents: change one without losing another's change, list them as pages. */
import { damaged, isStepwellError } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import type { Change, Document, Key, ListQuery, Store, Stored } from "../ports/store.ts";
import { foldText, type Page } from "./pagination.ts";

/** What a change to a document comes to: the commit, and what to answer. */
export interface Update<Result> {
  readonly changes: readonly Change[];
  readonly result: Result;
}

/**
 * Reads a document, decides, commits; again from the start when somebody else changed the document in between.
 *
 * `decide` must take its own document's version as `expected`, and may run several times. It may reject; nothing is
 * changed then. A conflict over any other document is not retried: it is the answer.
 */
export async function updateDocument<T extends Document, Result>(
  store: Store,
  key: Key,
  decide: (found: Stored<T> | null) => Update<Result> | Promise<Update<Result>>,
): Promise<Result> {
  for (;;) {
    const { changes, result } = await decide(await store.get<T>(key));
    try {
      await store.commit(changes);
      return result;
    } catch (error) {
      // Each conflict means that another writer got through: the loop as a whole moves on.
      if (!isStepwellError(error, "conflict") || error.key !== key) throw error;
    }
  }
}

/**
 * Reads a document, and the one that it names. Both come and go in one commit, so that a missing one is damage.
 * @throws StepwellError `unavailable` when what it names is missing
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
    // Another writer may have removed both since the first was read.
    const now = await store.get<T>(key);
    if (now !== null && nameIn(now.document) === name) throw damaged(name, "The document");
  }
}

/**
 * The documents of which {@link getNamed} is used: by their kind, the key that one names, or null for one that names none.
 * A repair removes those that name a document which is lost.
 */
export type References = Readonly<Record<string, (document: Document) => Key | null>>;

/** Which page of a list, beside what chooses its rows. */
export interface PageQuery {
  readonly page: number;
  readonly take: number;
  readonly page_token?: string | undefined;
  /** As the caller wrote it. */
  readonly search?: string | undefined;
  readonly marks?: ListQuery["marks"];
}

/** The groups of marks that choose the rows with this value; all rows if there is none. */
export function marksOf(name: string, value: string | undefined): readonly (readonly string[])[] {
  return value === undefined ? [] : [[`${name}:${value}`]];
}

/**
 * A page of the documents of a list, newest first. A document that was removed meanwhile is left out.
 * @param view Null for one that is not to be shown any more.
 */
export async function listPage<T extends Document, Item>(
  store: Store,
  list: string,
  query: PageQuery,
  keyOf: (id: string) => Key,
  view: (document: T) => Item | null | Promise<Item | null>,
): Promise<Page<Item>> {
  const { page, take, page_token, search = "", marks } = query;
  const chosen: ListQuery = {
    limit: take,
    offset: page_token === undefined ? (page - 1) * take : 0,
    after: page_token,
    search: foldText(search) || undefined,
    marks,
  };
  const rows = await store.listDocuments<T>(list, chosen, keyOf);
  const items: Item[] = [];
  for (const { document } of rows.documents) {
    const item = await view(document);
    if (item !== null) items.push(item);
  }
  return {
    items,
    page,
    take,
    more: rows.next !== undefined,
    ...omitUndefined({ total: rows.total, next_page_token: rows.next }),
  };
}

/**
 * Removes every document of a list, and what stands in it for a document that is gone.
 * @param removal What removes one, with its row.
 */
export async function removeAllListed<T extends Document>(
  store: Store,
  list: string,
  keyOf: (id: string) => Key,
  removal: (document: T, version: number) => Change,
): Promise<void> {
  for await (const id of rowIds(store, list)) {
    const key = keyOf(id);
    const gone: Change = { key, document: null, expected: null, rows: [{ list, take: id }] };
    await updateDocument<T, void>(store, key, (found) => ({
      changes: [found === null ? gone : removal(found.document, found.version)],
      result: undefined,
    }));
  }
}

/** Rows that are read at once. */
const ROWS_PER_READ = 100;

/**
 * The ids of every row of a list, read as they are asked for, the first first. What is put or taken meanwhile may be
 * among them or not.
 * @param chosen Which of the rows, as in `ListQuery`.
 */
export async function* rowIds(
  store: Store,
  list: string,
  chosen: Pick<ListQuery, "until" | "marks"> = {},
): AsyncGenerator<string, void> {
  for (let after: string | undefined; ; ) {
    const page = await store.list(list, { limit: ROWS_PER_READ, descending: false, ...chosen, after });
    yield* page.ids;
    if (page.next === undefined) return;
    after = page.next;
  }
}
