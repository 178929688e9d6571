/** The rows of collections in lists, and how to query them. */
import type { PageQuery } from "../documents/documents.ts";
import { foldText } from "../documents/pagination.ts";
import { useRows } from "../documents/uses.ts";
import type { Change, Key, RowChange, Stored } from "../ports/store.ts";
import type { CollectionDocument, CollectionQuery } from "./collection.ts";
import { hasIndexWork, INDEXING_LIST } from "./indexes/record-index.ts";

export const collectionKey = (collectionId: string): Key => `collection:${collectionId}`;

/** Deleted collections are in a separate list, so that the other list need not skip them. */
export function listOf(appId: string, deleted: boolean): string {
  return deleted ? `collections.${appId}.deleted` : `collections.${appId}`;
}

/** The row changes to commit with a document. */
export function rowsOf(document: CollectionDocument): RowChange[] {
  const { id, app_id, name, description, visibility, tags, deleted } = document;
  return [
    {
      list: listOf(app_id, deleted),
      put: {
        id,
        // Folded text contains no line breaks, so a search cannot match across both.
        text: `${foldText(name)}\n${foldText(description)}`,
        marks: [`visibility:${visibility}`, ...tags.map((tag) => `tag:${tag}`)],
      },
    },
    ...(deleted ? [{ list: listOf(app_id, false), delete: id }] : []),
    ...(document.indexes === undefined ? [] : [indexingRow(document)]),
  ];
}

/** What a collection uses: workflows of rules and connections of triggers. Disabled ones do nothing. */
export function usesOf({ config, triggers, deleted }: CollectionDocument): string[] {
  if (deleted) return [];
  return [
    ...config.rules.flatMap(({ workflow_id, disabled }) => (disabled ? [] : [workflow_id])),
    ...triggers.flatMap(({ connection_id, enabled }) =>
      enabled && connection_id !== undefined ? [connection_id] : [],
    ),
  ];
}

/** The collection with those rules and triggers disabled that use something else. */
export function withoutUsesOfOthers(document: CollectionDocument, existing: ReadonlySet<string>): CollectionDocument {
  const { config, triggers } = document;
  const rules = config.rules.map((rule) => (existing.has(rule.workflow_id) ? rule : { ...rule, disabled: true }));
  const isUsable = (id: string | undefined) => id === undefined || existing.has(id);
  return {
    ...document,
    config: { ...config, rules },
    triggers: triggers.map((one) => (isUsable(one.connection_id) ? one : { ...one, enabled: false })),
  };
}

/** The change that stores a collection. @param before The stored one with its version; null for a new one. */
export function putCollection(document: CollectionDocument, before: Stored<CollectionDocument> | null): Change {
  const { id } = document;
  const uses = useRows(id, before === null ? [] : usesOf(before.document), usesOf(document));
  return { key: collectionKey(id), document, expected: before?.version, rows: [...rowsOf(document), ...uses] };
}

/** The row change to commit when indexes have changed. */
export function indexingRow({ id, indexes }: Pick<CollectionDocument, "id" | "indexes">): RowChange {
  return hasIndexWork(indexes) ? { list: INDEXING_LIST, put: { id } } : { list: INDEXING_LIST, delete: id };
}

/** What lists of collections take. Only callers in this process continue by token. */
export type CollectionsQuery = CollectionQuery & Pick<PageQuery, "page_token">;

/**
 * @param tags Those ids of the query's tags that exist.
 * @param onlyPublic Whether to show only PUBLIC collections, which excludes deleted ones.
 */
export function rowQuery(query: CollectionsQuery, tags: readonly string[], onlyPublic: boolean): PageQuery {
  const visible = new Set([query.visibility, onlyPublic ? ("PUBLIC" as const) : undefined]);
  visible.delete(undefined);
  const marks = [
    ...[...visible].map((visibility) => [`visibility:${visibility}`]),
    ...(query.tags.length > 0 ? [tags.map((tag) => `tag:${tag}`)] : []),
    // A group without marks matches no row.
    ...(onlyPublic && query.deleted ? [[]] : []),
  ];
  const { page, take, page_token, search } = query;
  return { page, take, page_token, search, marks };
}
