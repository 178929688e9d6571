/**
 * Finds the records that meet conditions, a page at a time. It reads records from the smallest set that the lists
 * provide: an index of a field, or the marks and texts of the records' rows.
 */
import { createPageSize } from "../../../documents/page-size.ts";
import { invalid } from "../../../messages/field-errors.ts";
import type { Hash } from "../../../ports/hash.ts";
import type { ListQuery, Store } from "../../../ports/store.ts";
import type { UsableIndex } from "../../indexes/usable-indexes.ts";
import type { RecordDocument } from "../record.ts";
import { valueAt } from "../record-data.ts";
import { recordsOf } from "../record-rows.ts";
import { type Candidates, candidatesAt, candidatesOf, idsOf } from "./candidates.ts";
import { createMatcher } from "./match-record.ts";
import { type Range, rangesOf } from "./order-ranges.ts";
import type { RecordQuery, Sort } from "./record-query.ts";
import { rowConditions } from "./row-conditions.ts";
import { createSortTokens } from "./sort-token.ts";
import { orderOf } from "./value-order.ts";

/** Maximum number of records that are read for one page. */
const MAX_EXAMINED = 2_000;
/** Maximum number of rows of an index that are sorted by age in memory. */
const MAX_SORTED_ROWS = 20_000;

export interface FoundRecords {
  readonly documents: readonly RecordDocument[];
  /** Where the next page continues. Absent if there are no more records. */
  readonly next?: string | undefined;
  /** Whether the limit of records to read, or of their size, was reached before the page was full. */
  readonly incomplete: boolean;
}

export interface FindQuery
  extends Pick<RecordQuery, "take" | "page_token" | "search" | "filter" | "rule_result" | "updated_after"> {
  readonly sort?: Sort | undefined;
  /** Those tags of the query that exist; null if the query has none. */
  readonly tags: readonly string[] | null;
}

/** Whether a query needs the records, and not only their rows. */
export function needsDocuments({ filter, sort, rule_result, updated_after }: RecordQuery): boolean {
  return filter.length > 0 || sort !== undefined || updated_after !== undefined || Object.keys(rule_result).length > 0;
}

export type IndexOf = (path: string) => Promise<UsableIndex>;

export async function findRecords(
  { store, hash }: { store: Store; hash: Hash },
  collectionId: string,
  indexOf: IndexOf,
  query: FindQuery,
): Promise<FoundRecords> {
  const { sort, tags, page_token } = query;
  const tokens = createSortTokens(hash, sort);
  const after = page_token === undefined ? undefined : tokens.positionOf(page_token);
  const matches = createMatcher(query, tags === null ? null : new Set(tags));
  const rows = rowConditions(query, tags, hash);
  const { marks } = rows;
  const list = recordsOf(collectionId);

  const count = async (name: string, chosen: Omit<ListQuery, "limit">) =>
    (await store.list(name, { ...chosen, limit: 1 })).total ?? Number.POSITIVE_INFINITY;
  const countRanges = async (index: string, ranges: readonly Range[]) => {
    const counts = await Promise.all(ranges.map((range) => count(index, range)));
    return counts.reduce((sum, one) => sum + one, 0);
  };

  /** Newest first. */
  async function unsorted(): Promise<Candidates> {
    const total = rows.search === undefined ? await count(list, { marks }) : 0;
    for (const { field } of query.filter) {
      const ranges = rangesOf(query.filter, field);
      const index = ranges === null ? null : await indexOf(field);
      if (ranges === null || index?.state !== "ready") continue;
      const found = await countRanges(index.list, ranges);
      if (found >= total || found > MAX_SORTED_ROWS) continue;
      const ids = await idsOf(store, index.list, ranges);
      const wanted = ids
        .sort()
        .reverse()
        .filter((id) => after === undefined || id < after);
      return candidatesAt(
        store,
        wanted.map((id) => ({ id, position: id })),
      );
    }
    return candidatesOf(store, list, [{}], { ...rows, after, descending: true });
  }

  async function sorted({ field, descending }: Sort): Promise<Candidates> {
    const total = await count(list, { marks });
    const index = await indexOf(field);
    if (index.state === "ready") {
      const size = await count(list, {});
      // Of evenly spread records, the index reads take * size / total.
      const isFewer = total <= MAX_EXAMINED && total * total <= (query.take + 1) * size;
      const ranges = rangesOf(query.filter, field) ?? [{}];
      if (!isFewer || (await countRanges(index.list, ranges)) <= total) {
        return candidatesOf(store, index.list, descending ? ranges.toReversed() : ranges, { after, descending });
      }
    }
    if (total > MAX_EXAMINED) throw needsIndex(field, total, index.state);
    return sortInMemory(field, descending);
  }

  async function sortInMemory(field: string, descending: boolean): Promise<Candidates> {
    const found: { id: string; order: string; position: string }[] = [];
    for await (const chunk of candidatesOf(store, list, [{}], { ...rows, descending: false })) {
      for (const { id, document } of chunk) {
        if (document === null || !matches(document)) continue;
        const order = orderOf(valueAt(document.data, field));
        found.push({ id, order, position: `${id}:${order}` });
      }
    }
    found.sort((one, other) => compare(one.order, other.order) || compare(one.id, other.id));
    if (descending) found.reverse();
    if (after === undefined) return candidatesAt(store, found);
    const [id, order] = [after.slice(0, after.indexOf(":")), after.slice(after.indexOf(":") + 1)];
    const start = found.findIndex((one) => {
      const difference = compare(one.order, order) || compare(one.id, id);
      return descending ? difference < 0 : difference > 0;
    });
    return candidatesAt(store, start === -1 ? [] : found.slice(start));
  }

  const found = await collectPage(await (sort === undefined ? unsorted() : sorted(sort)), query.take, matches);
  return found.next === undefined ? found : { ...found, next: tokens.tokenOf(found.next) };
}

/** Reads until one record more than the page holds is found, so that the last page is known to be the last. */
async function collectPage(
  candidates: Candidates,
  take: number,
  matches: (document: RecordDocument) => boolean,
): Promise<FoundRecords> {
  const documents: RecordDocument[] = [];
  let examined = 0;
  let end: string | undefined;
  let last: string | undefined;
  const size = createPageSize();
  for await (const chunk of candidates) {
    for (const { position, document } of chunk) {
      if (examined === MAX_EXAMINED) return { documents, next: end ?? last, incomplete: documents.length < take };
      examined++;
      const isFound = document !== null && matches(document);
      if (isFound && documents.length === take) return { documents, next: end, incomplete: false };
      if (isFound && !size.add(document)) return { documents, next: last, incomplete: true };
      last = position;
      if (!isFound) continue;
      documents.push(document);
      if (documents.length === take) end = position;
    }
  }
  return { documents, incomplete: false };
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

function needsIndex(field: string, total: number, state: UsableIndex["state"]) {
  const hint =
    state === "building"
      ? "The index of the field is still being built. Try again later, or add conditions."
      : "Add the field to config.indexes of the collection, or add conditions.";
  const message = `Sorting more than ${MAX_EXAMINED} records, here ${total}, needs an index of ${JSON.stringify(field)}. ${hint}`;
  return invalid([{ in: "query", pointer: "/sort", message }]);
}
