/**
 * What uses a resource: rows in a list by the resource's id, committed with the document that uses it. So a deletion finds
 * its users without reading everything else.
 */

import type { Key, RowChange, Store } from "../ports/store.ts";
import { isId } from "./references.ts";

/** The documents that use a resource, by their ids. */
export const usersOf = (resourceId: string) => `users.${resourceId}`;

/** Kinds of resources that can be used, by the prefix of their ids. */
const KINDS: Readonly<Record<string, string>> = { work: "workflow", coll: "collection", con: "connection" };

/** The key of a resource that can be used; null for anything else. */
export function resourceKey(id: string): Key | null {
  const prefix = id.slice(0, id.indexOf("_"));
  const kind = Object.hasOwn(KINDS, prefix) && isId(prefix, id) ? KINDS[prefix] : undefined;
  return kind === undefined ? null : `${kind}:${id}`;
}

/**
 * Those of the ids that name resources of the app. Others get no list: a text may contain any number of them.
 * @param ids May contain ids of anything.
 */
export async function existingIn(
  store: Pick<Store, "getMany">,
  appId: string,
  ids: Iterable<string>,
): Promise<string[]> {
  const keys = new Map(
    [...ids].flatMap((id): [string, Key][] => {
      const key = resourceKey(id);
      return key === null ? [] : [[id, key]];
    }),
  );
  const found = await store.getMany<{ readonly app_id?: string }>([...keys.values()]);
  return [...keys.keys()].filter((_, index) => found[index]?.document.app_id === appId);
}

/**
 * The row changes of a document.
 * @param before The resources that it used. Rows that stay are not written again: a deletion of the resource may be waiting.
 */
export function useRows(userId: string, before: Iterable<string>, after: Iterable<string>): RowChange[] {
  const [old, now] = [new Set(before), new Set(after)];
  return [
    ...[...now].filter((id) => !old.has(id)).map((id) => ({ list: usersOf(id), put: { id: userId } })),
    ...[...old].filter((id) => !now.has(id)).map((id) => ({ list: usersOf(id), delete: userId })),
  ];
}
