/** Selects the records of an evaluation that meet conditions on their content, some at a time. */
import type { Hash } from "../../ports/hash.ts";
import type { Store } from "../../ports/store.ts";
import { candidatesOf } from "../records/find/candidates.ts";
import { createMatcher, type RecordConditions } from "../records/find/match-record.ts";
import { rowConditions } from "../records/find/row-conditions.ts";
import { recordsOf } from "../records/record-rows.ts";

/** Records that are read before the position is stored. */
const MAX_EXAMINED = 1_000;

export interface Selection {
  readonly ids: readonly string[];
  /** Where to continue. */
  readonly after: string | null;
  readonly isLast: boolean;
}

/** @param query `most`: the number of records to select. */
export async function selectRecords(
  { store, hash }: { store: Store; hash: Hash },
  collectionId: string,
  conditions: RecordConditions,
  query: {
    readonly tags: readonly string[] | null;
    readonly until: string | null;
    readonly after: string | null;
    readonly most: number;
    readonly signal: AbortSignal;
  },
): Promise<Selection> {
  const { tags, until, after, most, signal } = query;
  const matches = createMatcher(conditions, tags === null ? null : new Set(tags));
  const rows = {
    ...rowConditions(conditions, tags, hash),
    ...{ descending: false, until: until ?? undefined, after: after ?? undefined },
  };
  const ids: string[] = [];
  let examined = 0;
  let last = after;
  for await (const chunk of candidatesOf(store, recordsOf(collectionId), [{}], rows)) {
    signal.throwIfAborted();
    for (const { id, position, document } of chunk) {
      if (ids.length === most || examined === MAX_EXAMINED) return { ids, after: last, isLast: false };
      examined++;
      last = position;
      if (document !== null && matches(document)) ids.push(id);
    }
  }
  return { ids, after: last, isLast: true };
}
