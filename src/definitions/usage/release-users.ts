/** Pauses and disables what uses a resource that was deleted with `force`. Resumes after a crash, by a marker. */
import type { Collections } from "../../collections/collections.ts";
import { rowIds } from "../../documents/documents.ts";
import { unlessMissing } from "../../documents/look-up.ts";
import { usersOf } from "../../documents/uses.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import type { Schedules } from "../../schedules/schedules.ts";
import type { Background } from "../../time/background.ts";
import { type Holder, rangeOf, type Used } from "./find-users.ts";

export interface ReleaseUsers {
  /** The change to commit with the deletion. */
  marker(used: Used): Change;
  /** Call this after the deletion. Resolves after the first attempt; a failed one is retried in the background. */
  release(used: Used): Promise<void>;
  /** Continues what an earlier process left. */
  resume(): Promise<void>;
}

const LIST = "removed-resources";
const keyOf = (id: string): Key => `removed-resource:${id}`;
/** Users that are changed at once. */
const BATCH_SIZE = 50;

export function createReleaseUsers(parts: {
  store: Store;
  background: Pick<Background, "retryUntilDone">;
  collections: Pick<Collections, "changeConfig" | "changeTriggers">;
  schedules: Pick<Schedules, "update">;
}): ReleaseUsers {
  const { store, background, collections, schedules } = parts;

  const pause = (appId: string, scheduleId: string) =>
    unlessMissing(schedules.update(appId, scheduleId, { paused: true }));

  function disable({ app_id, id, kind }: Used, collectionId: string): Promise<unknown> {
    if (kind === "workflow") {
      const changed = collections.changeConfig(app_id, collectionId, ({ rules }) => ({
        rules: rules.map((rule) => (rule.workflow_id === id ? { ...rule, disabled: true } : rule)),
      }));
      return unlessMissing(changed);
    }
    const changed = collections.changeTriggers(app_id, collectionId, (triggers) =>
      triggers.map((trigger) => (trigger.connection_id === id ? { ...trigger, enabled: false } : trigger)),
    );
    return unlessMissing(changed);
  }

  /** Each user removes its row when it changes, so an interrupted release continues where it stopped. */
  async function releaseIn(used: Used, holder: Holder, change: (holderId: string) => Promise<unknown>): Promise<void> {
    let batch: string[] = [];
    const end = async () => {
      await Promise.all(batch.map(change));
      batch = [];
    };
    for await (const id of rowIds(store, usersOf(used.id), rangeOf(holder))) {
      if (batch.push(id) >= BATCH_SIZE) await end();
    }
    await end();
  }

  async function releaseAll(used: Used): Promise<void> {
    await releaseIn(used, "sched", (id) => pause(used.app_id, id));
    await releaseIn(used, "coll", (id) => disable(used, id));
    const key = keyOf(used.id);
    const found = await store.get(key);
    const rows = [{ list: LIST, delete: used.id }];
    if (found !== null) await store.commit([{ key, document: null, expected: found.version, rows }]);
  }

  const release = (used: Used) => background.retryUntilDone("deletions", () => releaseAll(used)).tried;

  return {
    marker: (used) => ({
      ...{ key: keyOf(used.id), document: used, expected: null },
      rows: [{ list: LIST, put: { id: used.id } }],
    }),
    release,
    async resume() {
      for await (const id of rowIds(store, LIST)) {
        const found = await store.get<Used>(keyOf(id));
        if (found !== null) await release(found.document);
      }
    },
  };
}
