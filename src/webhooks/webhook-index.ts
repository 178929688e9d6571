/**
 * Which webhooks want which events, in memory. One process owns the store, so nothing else changes webhooks: the index has a
 * webhook before the call that created it returns, and every later commit sees it.
 */
import { rowIds } from "../documents/documents.ts";
import { typesOf } from "../events/event.ts";
import type { Store } from "../ports/store.ts";
import type { WebhookDocument } from "./webhook.ts";
import { ALL_WEBHOOKS, webhookKey } from "./webhook-rows.ts";

export interface WebhookIndex {
  /** Undefined once all webhooks are in memory. Rejects if the storage fails; the next call tries again. */
  load(): Promise<void> | undefined;
  /** Whether an enabled webhook of the app exists. Only after {@link load}. */
  hasAny(appId: string): boolean;
  /** Enabled webhooks that want an event, in the order of their ids. @param parent The event's collection or workflow. */
  wanting(appId: string, type: string, parent: string | null): readonly string[];
  wants(appId: string, type: string, parent: string | null): boolean;
  /** Number of webhooks of an app, also of those that are off. */
  count(appId: string): number;
  /** All webhooks of all apps. */
  ids(): readonly string[];
  /** Call this when a webhook has been stored. @param version The version of the document. */
  put(webhook: WebhookDocument, version: number): void;
  forgetApp(appId: string): void;
}

interface AppIndex {
  readonly webhooks: Map<string, { readonly version: number; readonly keys: readonly string[] }>;
  /** Ids of webhooks by what they want. */
  readonly wanting: Map<string, Set<string>>;
}

const keyOf = (type: string, parent: string | null) => `${type}/${parent ?? ""}`;

/** What a webhook wants. */
function keysOf({ events, collection_id, workflow_id, enabled, removed }: WebhookDocument): readonly string[] {
  if (!enabled || removed === true) return [];
  const types = new Set(events.flatMap((pattern) => [...typesOf(pattern)]));
  return [...types].map((type) => keyOf(type, collection_id ?? workflow_id));
}

export function createWebhookIndex({ store }: { store: Store }): WebhookIndex {
  const apps = new Map<string, AppIndex>();
  let isLoaded = false;
  let loading: Promise<void> | undefined;

  async function loadAll(): Promise<void> {
    for await (const id of rowIds(store, ALL_WEBHOOKS)) {
      const found = await store.get<WebhookDocument>(webhookKey(id));
      if (found !== null) put(found.document, found.version);
    }
    isLoaded = true;
  }

  /** Writes of one webhook may end in another order than they were stored. */
  function put(webhook: WebhookDocument, version: number): void {
    const { id, app_id } = webhook;
    const app = apps.get(app_id) ?? { webhooks: new Map(), wanting: new Map() };
    const known = app.webhooks.get(id);
    if (known !== undefined && known.version >= version) return;
    for (const key of known?.keys ?? []) {
      const others = app.wanting.get(key);
      others?.delete(id);
      if (others?.size === 0) app.wanting.delete(key);
    }
    const keys = keysOf(webhook);
    if (webhook.removed === true) app.webhooks.delete(id);
    else app.webhooks.set(id, { version, keys });
    for (const key of keys) app.wanting.set(key, (app.wanting.get(key) ?? new Set()).add(id));
    if (app.webhooks.size === 0) apps.delete(app_id);
    else apps.set(app_id, app);
  }

  return {
    load() {
      if (isLoaded) return undefined;
      if (loading === undefined) {
        loading = loadAll().finally(() => {
          loading = undefined;
        });
        loading.catch(() => undefined); // a commit without events does not wait for it
      }
      return loading;
    },
    hasAny: (appId) => (apps.get(appId)?.wanting.size ?? 0) > 0,
    wanting(appId, type, parent) {
      const wanting = apps.get(appId)?.wanting;
      const keys = new Set([keyOf(type, null), keyOf(type, parent)]);
      return [...keys].flatMap((key) => [...(wanting?.get(key) ?? [])]).sort();
    },
    wants(appId, type, parent) {
      const wanting = apps.get(appId)?.wanting;
      return wanting !== undefined && (wanting.has(keyOf(type, null)) || wanting.has(keyOf(type, parent)));
    },
    count: (appId) => apps.get(appId)?.webhooks.size ?? 0,
    ids: () => [...apps.values()].flatMap(({ webhooks }) => [...webhooks.keys()]),
    put,
    forgetApp: (appId) => void apps.delete(appId),
  };
}
