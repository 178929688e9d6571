/** The fields that the records of a collection have, which settings offer where a field is to be named. */
import { useQuery } from "@tanstack/react-query";
import type { Collection } from "../../../../src/collections/collection.ts";
import { fieldsOf } from "../records/record-fields.ts";
import { namedFields } from "../records/record-model.ts";
import { client } from "../server/client.ts";

/** Records whose fields are offered. */
const READ_RECORDS = 50;

export interface KnownFields {
  /** As `entity:field`. */
  readonly fields: readonly string[];
  /** Whether there may be more: the records have not been read yet. */
  readonly isPending: boolean;
}

/** Those of the newest records, and those that settings of the collection name already. */
export function useKnownFields(appId: string, collection: Collection): KnownFields {
  const { data, isPending } = useQuery({
    queryKey: [appId, "records", collection.id, "fields"],
    queryFn: ({ signal }) => client.with({ signal }).records.list(appId, collection.id, { take: READ_RECORDS }),
  });
  return { fields: [...new Set([...namedFields(collection), ...fieldsOf(data?.items ?? [])])], isPending };
}
