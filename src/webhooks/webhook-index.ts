/**
 * The webhooks of all apps in memory, by the events that they subscribe to. A webhook is in the index before the call that creates
 * it returns, so every later commit finds it. In a cluster, commits refresh the index first.
 */
import { rowIds } from "../documents/documents.ts";
import { StepwellError } from "../errors.ts";
import { typesOf } from "../events/event.ts";
import type { Store, Stored } from "../ports/store.ts";
import type { WebhookDocument } from "./webhook.ts";
import { ALL_WEBHOOKS, webhookKey, webhooksOf } from "./webhook-rows.ts";
import type { WebhookStamps } from "./webhook-stamps.ts";

export interface WebhookIndex {
  /** Loads all webhooks. Returns undefined once they are loaded. Rejects if the storage fails; the next call tries again. */
  load(): Promise<void> | undefined;
  /** Whether an enabled webhook of the app exists. Only after {@link load}. */
  hasWebhooks(appId: string): boolean;
  /** Enabled webhooks that subscribe to an event, in the order of their ids. @param parent The event's collection or workflow. */
  subscribers(appId: string, type: string, parent: string | null): readonly string[];
  hasSubscribers(appId: string, type: string, parent: string | null): boolean;
  /** Reads the webhooks of an app again if another process has changed them. Undefined if no other process uses the store. */
  readonly refresh: ((appId: string) => Promise<void>) | undefined;
  /** The app of a webhook; undefined if there is no such webhook. */
  appOf(webhookId: string): string | undefined;
  /** Call this when a webhook has been stored. @param version The version of the document. */
  put(webhook: WebhookDocument, version: number): void;
  forgetApp(appId: string): void;
}

interface AppIndex {
  readonly webhooks: Map<string, { readonly version: number; readonly keys: readonly string[] }>;
  /** Ids of webhooks by type of event and parent. */
  readonly subscribers: Map<string, Set<string>>;
}

const keyOf = (type: string, parent: string | null) => `${type}/${parent ?? ""}`;

/** The events that a webhook subscribes to. */
function keysOf({ events, collection_id, workflow_id, enabled, removed }: WebhookDocument): readonly string[] {
  if (!enabled || removed === true) return [];
  const types = new Set(events.flatMap((pattern) => [...typesOf(pattern)]));
  return [...types].map((type) => keyOf(type, collection_id ?? workflow_id));
}

export function createWebhookIndex({ store, stamps }: { store: Store; stamps: WebhookStamps }): WebhookIndex {
  const apps = new Map<string, AppIndex>();
  const appIds = new Map<string, string>();
  let isLoaded = false;
  let loading: Promise<void> | undefined;

  async function loadAll(): Promise<void> {
    for await (const id of rowIds(store, ALL_WEBHOOKS)) {
      const found = await store.get<WebhookDocument>(webhookKey(id));
      if (found !== null) put(found.document, found.version);
    }
    isLoaded = true;
  }

  /** Ignores outdated versions, because writes of a webhook may return in another order than they were stored in. */
  function put(webhook: WebhookDocument, version: number): void {
    const { id, app_id } = webhook;
    const app = apps.get(app_id) ?? { webhooks: new Map(), subscribers: new Map() };
    const known = app.webhooks.get(id);
    if (known !== undefined && known.version >= version) return;
    for (const key of known?.keys ?? []) {
      const others = app.subscribers.get(key);
      others?.delete(id);
      if (others?.size === 0) app.subscribers.delete(key);
    }
    const keys = keysOf(webhook);
    if (webhook.removed === true) {
      app.webhooks.delete(id);
      appIds.delete(id);
    } else {
      app.webhooks.set(id, { version, keys });
      appIds.set(id, app_id);
    }
    for (const key of keys) app.subscribers.set(key, (app.subscribers.get(key) ?? new Set()).add(id));
    if (app.webhooks.size === 0) apps.delete(app_id);
    else apps.set(app_id, app);
  }

  async function reload(appId: string): Promise<void> {
    const found: Stored<WebhookDocument>[] = [];
    for await (const id of rowIds(store, webhooksOf(appId))) {
      const stored = await store.get<WebhookDocument>(webhookKey(id));
      if (stored !== null) found.push(stored);
    }
    forgetApp(appId);
    for (const { document, version } of found) put(document, version);
  }

  function forgetApp(appId: string): void {
    for (const id of apps.get(appId)?.webhooks.keys() ?? []) appIds.delete(id);
    apps.delete(appId);
  }

  const { refresh } = stamps;
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
    hasWebhooks: (appId) => (apps.get(appId)?.subscribers.size ?? 0) > 0,
    subscribers(appId, type, parent) {
      const subscribers = apps.get(appId)?.subscribers;
      const keys = new Set([keyOf(type, null), keyOf(type, parent)]);
      return [...keys].flatMap((key) => [...(subscribers?.get(key) ?? [])]).sort();
    },
    hasSubscribers(appId, type, parent) {
      const subscribers = apps.get(appId)?.subscribers;
      return subscribers !== undefined && (subscribers.has(keyOf(type, null)) || subscribers.has(keyOf(type, parent)));
    },
    refresh: refresh === undefined ? undefined : (appId) => refresh(appId, () => reload(appId)),
    put,
    appOf: (webhookId) => appIds.get(webhookId),
    forgetApp,
  };
}

/** Maximum number of webhooks of an app, including those that are off. All of them are in memory. */
const MAX_WEBHOOKS = 1_000;

/** @throws StepwellError `conflict` if the app cannot have so many more webhooks */
export async function requireRoom(store: Store, appId: string, more: number): Promise<void> {
  const { total: count = 0 } = await store.list(webhooksOf(appId), { limit: 0 });
  if (count + more <= MAX_WEBHOOKS) return;
  const wanted = more === 1 ? "" : `, and ${more} more are too many`;
  const message = `The app already has ${count} webhooks${wanted}: the limit is ${MAX_WEBHOOKS}. Delete those that are not needed.`;
  throw new StepwellError("conflict", message);
}
