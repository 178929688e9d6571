/** The document of a collection that is created: by a caller, or by an import. */
import type { Ids } from "../ports/ids.ts";
import type { CollectionCreate, CollectionDocument } from "./collection.ts";
import { replaceIndexes } from "./indexes/record-index.ts";
import type { Trigger } from "./triggers/trigger.ts";

/** @param given.triggers With their ids. */
export function newCollection(
  {
    app_id,
    id,
    triggers,
    ...input
  }: Omit<CollectionCreate, "triggers"> & {
    readonly app_id: string;
    readonly id: string;
    readonly triggers: readonly Trigger[];
  },
  ids: Ids,
  now: string,
): CollectionDocument {
  const { rules = [], mappings = [], indexes = [] } = input.config;
  return {
    ...input,
    ...{ id, app_id, triggers },
    config: { id: ids.next("conf"), rules, mappings, indexes, created_at: now, updated_at: now },
    indexes: replaceIndexes([], indexes, () => ids.next("idx"), true),
    tags: [...new Set(input.tags)],
    revision: 1,
    has_records: false,
    deleted: false,
    created_at: now,
    updated_at: now,
  };
}
