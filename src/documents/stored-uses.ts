/**
 * What a document refers to in texts: another document beside it, whose rows tell who uses what. Texts may contain ids of
 * anything, so what existed when they were stored cannot be found from them later.
 */
import type { Change, Key, Store } from "../ports/store.ts";
import { existingIn, useRows } from "./uses.ts";

interface UsesDocument {
  readonly app_id: string;
  /** Ids of resources of the app. */
  readonly uses: readonly string[];
}

export const usesKey = (userId: string): Key => `uses:${userId}`;

/** The changes to commit with the document. @param references Ids of anything in its texts; none when it is deleted. */
export async function usesChanges(
  store: Store,
  appId: string,
  userId: string,
  references: Iterable<string>,
): Promise<Change[]> {
  const key = usesKey(userId);
  const before = await store.get<UsesDocument>(key);
  const uses = (await existingIn(store, appId, references)).filter((id) => id !== userId);
  if (before === null) return uses.length === 0 ? [] : [newUses(appId, userId, uses)];
  const rows = useRows(userId, before.document.uses, uses);
  const document: UsesDocument | null = uses.length === 0 ? null : { app_id: appId, uses };
  return [{ key, document, expected: before.version, rows }];
}

/** The change to commit with a new document. */
export function newUses(appId: string, userId: string, uses: readonly string[]): Change {
  const document: UsesDocument = { app_id: appId, uses };
  return { key: usesKey(userId), document, expected: null, rows: useRows(userId, [], uses) };
}
