/** The rows of records in the indexes of their collection. Every record has one, so that an index has as many as the list. */
import type { RowChange } from "../../ports/store.ts";
import { orderOf } from "../records/find/value-order.ts";
import type { RecordDocument } from "../records/record.ts";
import { valueAt } from "../records/record-data.ts";
import type { KnownIndex } from "./known-indexes.ts";
import { indexList } from "./record-index.ts";

/** The row changes to commit with a record. */
export function indexRows({ id, data }: RecordDocument, indexes: readonly KnownIndex[]): RowChange[] {
  return indexes.map((index): RowChange => {
    const list = indexList(index.id);
    return index.isRemoved ? { list, delete: id } : { list, put: { id, order: orderOf(valueAt(data, index.path)) } };
  });
}

/** The row changes to commit with the deletion of a record. */
export function indexRowDeletions(recordId: string, indexes: readonly KnownIndex[]): RowChange[] {
  return indexes.map((index) => ({ list: indexList(index.id), delete: recordId }));
}
