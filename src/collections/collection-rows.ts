/** What the lists of an app's collections are made of, and which of their rows a query chooses. */
import type { PageQuery } from "../documents/documents.ts";
import { foldText } from "../documents/pagination.ts";
import type { RowChange } from "../ports/store.ts";
import type { CollectionDocument, CollectionQuery } from "./collection.ts";

/** What was deleted stands in a list of its own: nothing has to be passed over on the way to what was not. */
export function listOf(appId: string, deleted: boolean): string {
  return deleted ? `collections.${appId}.deleted` : `collections.${appId}`;
}

/** The rows that go with a document, wherever it was listed before. */
export function rowsOf(document: CollectionDocument): RowChange[] {
  const { id, app_id, name, description, visibility, tags, deleted } = document;
  return [
    {
      list: listOf(app_id, deleted),
      put: {
        id,
        // A line break, which nothing folded holds, keeps a search from matching across the two.
        text: `${foldText(name)}\n${foldText(description)}`,
        marks: [`visibility:${visibility}`, ...tags.map((tag) => `tag:${tag}`)],
      },
    },
    ...(deleted ? [{ list: listOf(app_id, false), take: id }] : []),
  ];
}

/**
 * @param tags The ids of the query's tags that there are.
 * @param onlyPublic Whether just PUBLIC collections may be shown, which those that were deleted no longer are.
 */
export function rowQuery(query: CollectionQuery, tags: readonly string[], onlyPublic: boolean): PageQuery {
  const visible = new Set([query.visibility, onlyPublic ? ("PUBLIC" as const) : undefined]);
  visible.delete(undefined);
  const marks = [
    ...[...visible].map((visibility) => [`visibility:${visibility}`]),
    ...(query.tags.length > 0 ? [tags.map((tag) => `tag:${tag}`)] : []),
    // A group without marks is one that no row carries any of.
    ...(onlyPublic && query.deleted ? [[]] : []),
  ];
  return {
    page: query.page,
    take: query.take,
    search: query.search,
    marks,
  };
}
