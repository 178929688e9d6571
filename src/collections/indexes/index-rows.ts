/** The rows of records in the indexes of their collection. Every record has one, so that an index has as many as the list. */
import type { RowChange } from "../../ports/store.ts";
import type { CollectionDocument } from "../collection.ts";
import { orderOf } from "../records/find/value-order.ts";
import type { RecordDocument } from "../records/record.ts";
import { valueAt } from "../records/record-data.ts";
import { indexList, type RecordIndex } from "./record-index.ts";

type IndexedRecord = Pick<RecordDocument, "id" | "data">;

/** The row changes to commit with a record. */
export function indexRows({ id, data }: IndexedRecord, indexes: readonly RecordIndex[] = []): RowChange[] {
  return indexes
    .filter(({ state }) => state !== "removing")
    .map((index) => ({ list: indexList(index.id), put: { id, order: orderOf(valueAt(data, index.path)) } }));
}

/** The row changes to commit with the deletion of a record. */
export function indexRowDeletions(
  recordId: string,
  { indexes = [] }: Pick<CollectionDocument, "indexes">,
): RowChange[] {
  return indexes.map((index) => ({ list: indexList(index.id), delete: recordId }));
}
