/** Apps, which the host creates and deletes. Everything else belongs to an app. */

import { listPage, type PageQuery, rowIds, updateDocument } from "../documents/documents.ts";
import { foldText, type Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { notFound } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Key, Row, Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import type { App, AppCreate, AppUpdate } from "./app.ts";
import { appDeleted } from "./purge-apps.ts";
import { createWatches, type Watches } from "./watches.ts";

export interface Apps {
  create(input: AppCreate, receipt: Receipt): Promise<App>;
  /** @throws StepwellError `not_found` */
  get(appId: string): Promise<App>;
  exists(appId: string): Promise<boolean>;
  list(query: PageQuery): Promise<Page<App>>;
  /** The ids of all apps, read on demand. */
  ids(): AsyncGenerator<string>;
  update(appId: string, input: AppUpdate): Promise<App>;
  /** Deletes an app. Its keys stop working, and callers no longer find anything in it. */
  remove(appId: string): Promise<void>;
  /** Aborts the controller when the app is deleted or does not exist. Stops watching when the controller is aborted. */
  watch(appId: string, controller: AbortController): Promise<void>;
}

const LIST = "apps.all";
export const appKey = (appId: string): Key => `app:${appId}`;
const rowOf = (app: App): Row => ({ id: app.id, text: foldText(app.name) });

export function createApps(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  /** The apps that are known to be deleted. Contains an app from before its deletion resolves. */
  deletedApps?: Set<string>;
  /** @default Those of this process. */
  watches?: Watches;
  /** Called when an app has been deleted. */
  onDeleted?: (appId: string) => void;
}): Apps {
  const { store, clock, ids, deletedApps, watches = createWatches(parts), onDeleted } = parts;

  return {
    async create(input, receipt) {
      const now = instant(clock.now());
      const { name, color = null } = input;
      const app: App = { id: ids.next("app"), name, color, verified: false, created_at: now, updated_at: now };
      await store.commit([
        { key: appKey(app.id), document: app, rows: [{ list: LIST, put: rowOf(app) }] },
        ...receipt(app),
      ]);
      return app;
    },

    async get(appId) {
      const found = await store.get<App>(appKey(appId));
      if (found === null) throw notFound("app", appId);
      return found.document;
    },

    exists: async (appId) => (await store.get<App>(appKey(appId))) !== null,

    list: (query) => listPage<App, App>(store, LIST, query, appKey, (app) => app),

    ids: () => rowIds(store, LIST),

    update: (appId, input) =>
      updateDocument<App, App>(store, appKey(appId), (found) => {
        if (found === null) throw notFound("app", appId);
        const app: App = { ...found.document, ...input, updated_at: instant(clock.now()) };
        const rows = [{ list: LIST, put: rowOf(app) }];
        return { changes: [{ key: appKey(appId), document: app, expected: found.version, rows }], result: app };
      }),

    async remove(appId) {
      await updateDocument<App, void>(store, appKey(appId), (found) => {
        if (found === null) throw notFound("app", appId);
        const rows = [{ list: LIST, delete: appId }];
        const change = { key: appKey(appId), document: null, expected: found.version, rows };
        return { changes: [change, appDeleted(appId)], result: undefined };
      });
      deletedApps?.add(appId);
      watches.end(appKey(appId));
      onDeleted?.(appId);
    },

    async watch(appId, controller) {
      await watches.watch(appKey(appId), controller);
    },
  };
}
