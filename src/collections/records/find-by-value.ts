/** Finds the record of a collection with a value in a field. */
import type { Hash } from "../../ports/hash.ts";
import type { Store } from "../../ports/store.ts";
import type { RecordDocument, RecordUpsert } from "./record.ts";
import { parsePath, valueAt } from "./record-data.ts";
import { recordKey, recordsOf, valueMark } from "./record-rows.ts";

const RECORDS_PER_READ = 20;

/** Finds the oldest record with the value. @param likely The record to check first. */
export async function findByValue(
  { store, hash }: { store: Store; hash: Hash },
  collectionId: string,
  { path, value }: Pick<RecordUpsert, "path" | "value">,
  likely: RecordDocument | null,
): Promise<RecordDocument | null> {
  const isIt = ({ data }: RecordDocument) => valueAt(data, path) === value;
  if (likely !== null && isIt(likely)) return likely;
  const marks = [[valueMark(...parsePath(path), value, hash)]];
  for (let after: string | undefined; ; ) {
    const query = { limit: RECORDS_PER_READ, descending: false, marks, after };
    const page = await store.listDocuments<RecordDocument>(recordsOf(collectionId), query, recordKey);
    for (const { document } of page.documents) if (isIt(document)) return document;
    if (page.next === undefined) return null;
    after = page.next;
  }
}
