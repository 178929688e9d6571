/** Apps: created and removed by the host; everything else belongs to one. */

import { everyRow, listPage, type PageQuery, type Receipt, update } from "../documents/documents.ts";
import { fold, type Page } from "../documents/pagination.ts";
import { notFound } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Key, Row, Store } from "../ports/store.ts";
import { instant } from "../time/system-clock.ts";
import type { App, AppCreate, AppUpdate } from "./app.ts";
import { appRemoved } from "./purge-apps.ts";
import { createWatches } from "./watches.ts";

export interface Apps {
  create(input: AppCreate, receipt: Receipt): Promise<App>;
  /** @throws StepwellError `not_found` */
  get(appId: string): Promise<App>;
  isThere(appId: string): Promise<boolean>;
  list(query: PageQuery): Promise<Page<App>>;
  /** The ids of all apps, read as they are asked for. */
  ids(): AsyncGenerator<string>;
  update(appId: string, input: AppUpdate): Promise<App>;
  /** Closes the app: its keys stop working and everything in it is gone for callers. */
  remove(appId: string): Promise<void>;
  /** Aborts the controller when the app is removed, or is gone already; stops watching once it is aborted. */
  watch(appId: string, follower: AbortController): Promise<void>;
}

const LIST = "apps.all";
const keyOf = (appId: string): Key => `app:${appId}`;
const rowOf = (app: App): Row => ({ id: app.id, text: fold(app.name) });

export function createApps(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  /** Told when an app was removed. */
  removed?: () => void;
}): Apps {
  const { store, clock, ids, removed } = parts;
  const watches = createWatches();

  return {
    async create(input, receipt) {
      const now = instant(clock.now());
      const app: App = { id: ids.next("app"), name: input.name, verified: false, created_at: now, updated_at: now };
      await store.commit([
        { key: keyOf(app.id), document: app, rows: [{ list: LIST, put: rowOf(app) }] },
        ...receipt(app),
      ]);
      return app;
    },

    async get(appId) {
      const found = await store.get<App>(keyOf(appId));
      if (found === null) throw notFound("app", appId);
      return found.document;
    },

    isThere: async (appId) => (await store.get<App>(keyOf(appId))) !== null,

    list: (query) => listPage<App, App>(store, LIST, query, keyOf, (app) => app),

    ids: () => everyRow(store, LIST),

    update: (appId, input) =>
      update<App, App>(store, keyOf(appId), (found) => {
        if (found === null) throw notFound("app", appId);
        const app: App = { ...found.document, ...input, updated_at: instant(clock.now()) };
        const rows = [{ list: LIST, put: rowOf(app) }];
        return { changes: [{ key: keyOf(appId), document: app, expected: found.version, rows }], result: app };
      }),

    async remove(appId) {
      await update<App, void>(store, keyOf(appId), (found) => {
        if (found === null) throw notFound("app", appId);
        const rows = [{ list: LIST, take: appId }];
        const removal = { key: keyOf(appId), document: null, expected: found.version, rows };
        return { changes: [removal, appRemoved(appId)], result: undefined };
      });
      watches.end(appId);
      removed?.();
    },

    async watch(appId, follower) {
      await watches.watch(appId, () => store.get<App>(keyOf(appId)), follower);
    },
  };
}
