/** Records that may meet the conditions of a query, read in chunks, with their positions for page tokens. */
import type { ListQuery, Store } from "../../../ports/store.ts";
import type { RecordDocument } from "../record.ts";
import { recordKey } from "../record-rows.ts";
import type { Range } from "./order-ranges.ts";

export interface Position {
  readonly id: string;
  /** As in `ListQuery.after`. */
  readonly position: string;
}

export interface Candidate extends Position {
  /** Null if the record was deleted meanwhile. */
  readonly document: RecordDocument | null;
}

export type Candidates = AsyncIterable<readonly Candidate[]>;

/** Records of up to 1 MiB are in memory at once. */
const RECORDS_PER_READ = 50;
const ROWS_PER_READ = 1_000;

/** The records of the rows in these ranges, which are in the order of the query. */
export async function* candidatesOf(
  store: Store,
  list: string,
  ranges: readonly Range[],
  query: Omit<ListQuery, "limit">,
): Candidates {
  for (const range of ranges) {
    for (let after = query.after; ; ) {
      const chosen = { ...query, ...range, after, limit: RECORDS_PER_READ, withoutTotal: true };
      const page = await store.listDocuments<RecordDocument>(list, chosen, recordKey);
      const documents = new Map(page.documents.map(({ document }) => [document.id, document]));
      yield page.ids.map((id, index) => {
        const order = page.orders?.[index];
        const position = order === undefined ? id : `${id}:${order}`;
        return { id, position, document: documents.get(id) ?? null };
      });
      if (page.next === undefined) break;
      after = page.next;
    }
  }
}

/** The records at these positions. */
export async function* candidatesAt(store: Store, positions: readonly Position[]): Candidates {
  for (let start = 0; start < positions.length; start += RECORDS_PER_READ) {
    const some = positions.slice(start, start + RECORDS_PER_READ);
    const found = await store.getMany<RecordDocument>(some.map(({ id }) => recordKey(id)));
    yield some.map((position, index) => ({ ...position, document: found[index]?.document ?? null }));
  }
}

/** The rows of an index in these ranges, without their records. */
export async function idsOf(store: Store, list: string, ranges: readonly Range[]): Promise<string[]> {
  const ids: string[] = [];
  for (const range of ranges) {
    for (let after: string | undefined; ; ) {
      const query = { ...range, after, limit: ROWS_PER_READ, descending: false, withoutTotal: true };
      const page = await store.list(list, query);
      for (const id of page.ids) ids.push(id);
      if (page.next === undefined) break;
      after = page.next;
    }
  }
  return ids;
}
