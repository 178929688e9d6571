/**
 * Tells the processes of a cluster when the webhooks of an app have changed. Each app with webhooks has a stamp, a document that
 * is written with every webhook whose events change. Before a commit that causes events, its process reads the stamp: so an
 * event reaches every webhook that was created before, in whichever process, and no message can be lost.
 */
import { isStepwellError } from "../errors.ts";
import type { Change, Key, Store } from "../ports/store.ts";

export interface WebhookStamps {
  /** The changes to commit with a webhook of the app. Other writers may be faster: see {@link isStampKey}. */
  changes(appId: string): Promise<readonly Change[]>;
  /**
   * Calls `load` if the webhooks of the app have changed since the last time, and before they were read the first time. Undefined
   * if no other process uses the store.
   */
  readonly refresh: ((appId: string, load: () => Promise<void>) => Promise<void>) | undefined;
  /** Deletes the stamp of a deleted app. */
  remove(appId: string): Promise<void>;
}

/** A read in progress, and the one that begins afterwards for those who asked meanwhile. */
interface Reads {
  readonly current: Promise<void>;
  next: Promise<void> | null;
}

const stampKey = (appId: string): Key => `webhooks-stamp:${appId}`;
/** Whether a commit failed because of a stamp. Then it must be repeated with the changes of the new one. */
export const isStampKey = (key: string) => key.startsWith("webhooks-stamp:");

export function createWebhookStamps({ store, isShared }: { store: Store; isShared: boolean }): WebhookStamps {
  const known = new Map<string, number>();
  const reads = new Map<string, Reads>();

  async function read(appId: string, load: () => Promise<void>): Promise<void> {
    const stamp = (await store.get(stampKey(appId)))?.version ?? 0;
    if (known.get(appId) === stamp) return;
    await load();
    known.set(appId, stamp);
  }

  /** A read that has begun may miss what was stored since, so callers never join it. */
  function refresh(appId: string, load: () => Promise<void>): Promise<void> {
    const before = reads.get(appId);
    if (before !== undefined) {
      before.next ??= before.current.catch(() => undefined).then(() => begin(appId, load));
      return before.next;
    }
    return begin(appId, load);
  }

  function begin(appId: string, load: () => Promise<void>): Promise<void> {
    const current = read(appId, load);
    const own: Reads = { current, next: null };
    reads.set(appId, own);
    const end = () => {
      if (own.next === null) reads.delete(appId);
    };
    current.then(end, end);
    return current;
  }

  return {
    async changes(appId) {
      if (!isShared) return [];
      const found = await store.get(stampKey(appId));
      return [{ key: stampKey(appId), document: { app_id: appId }, expected: found?.version ?? null }];
    },

    refresh: isShared ? refresh : undefined,

    async remove(appId) {
      known.delete(appId);
      const found = isShared ? await store.get(stampKey(appId)) : null;
      if (found === null) return;
      try {
        await store.commit([{ key: stampKey(appId), document: null, expected: found.version }]);
      } catch (error) {
        if (!isStepwellError(error, "conflict")) throw error; // the purge is repeated for what was added meanwhile
      }
    },
  };
}
