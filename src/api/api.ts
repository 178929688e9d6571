/**
 * The functions of `stepwell.*`: everything that the HTTP API does, called in process and with full access.
 *
 * A function takes the path parameters of its route in order, then a body or a query. It validates them like the route,
 * and rejects with a {@link StepwellError} where the route returns problem details. Every function may reject with
 * `invalid` for invalid arguments, with a JSON Pointer for each; `not_found` for an id that does not exist in the app;
 * and `unavailable` if the storage does not respond or the instance is closed. `@throws` lists additional codes.
 *
 * Fields are those of the HTTP API, in `snake_case`. Times are ISO 8601 strings in UTC.
 */
import type { AppChange } from "../app-stream/app-change.ts";
import type { App, AppCreate, AppUpdate } from "../apps/app.ts";
import type { IssuedKey, Key, KeyCreate } from "../apps/key.ts";
import type { Bundle } from "../definitions/transfer/bundle.ts";
import type { Page } from "../documents/pagination.ts";
import type { Summary } from "../summary/summary.ts";
import type { CollectionsApi, FilesApi, TagsApi, TriggersApi, TriggerTypesApi } from "./data-api.ts";
import type { EventsApi } from "./events-api.ts";
import type { InputsApi } from "./inputs-api.ts";
import type { JobsApi } from "./jobs-api.ts";
import type { AllOptions, ListOptions } from "./list-options.ts";
import type { RecordsApi } from "./records-api.ts";
import type { MappingsApi, RulesApi } from "./rules-api.ts";
import type { RunsApi } from "./runs-api.ts";
import type { WebhooksApi } from "./webhooks-api.ts";
import type { ConnectionsApi, HooksApi, SchedulesApi, ServicesApi, WorkflowsApi } from "./workflows-api.ts";

export type * from "./data-api.ts";
export type * from "./events-api.ts";
export type * from "./inputs-api.ts";
export type * from "./jobs-api.ts";
export type * from "./list-options.ts";
export type * from "./record-options.ts";
export type * from "./records-api.ts";
export type * from "./rules-api.ts";
export type * from "./runs-api.ts";
export type * from "./webhooks-api.ts";
export type * from "./workflows-api.ts";

/** Apps, which own everything else. */
export interface AppsApi {
  /**
   * Creates an app, which owns workflows, files, collections and keys.
   * @example `const app = await stepwell.apps.create({ name: "Lending" })`
   */
  create(input: AppCreate): Promise<App>;
  /** Lists all apps. */
  list(options?: ListOptions): Promise<Page<App>>;
  /** Iterates over all apps, as {@link list} lists them, page by page. */
  listAll(options?: AllOptions): AsyncIterable<App>;
  /** Returns an app. */
  get(appId: string): Promise<App>;
  /** Updates the name, or `verified`, which marks an app that you vouch for. Omitted fields keep their values. */
  update(appId: string, input: AppUpdate): Promise<App>;
  /**
   * Deletes an app. Once this resolves, its keys no longer work and its runs start no further steps. Stepwell deletes
   * its data in the background; receipts of idempotency keys and webhook deliveries expire after a day.
   */
  remove(appId: string): Promise<void>;
  /**
   * Exports all that an app defines: workflows with their drafts and latest versions, collections with their triggers, tags,
   * schedules, webhooks and connections, without credentials and secrets. `workflows.import` creates them in another app.
   * @throws StepwellError `invalid` if no import would accept the document, as for `workflows.export`
   */
  export(appId: string): Promise<Bundle>;
  /**
   * Iterates over what changes in an app from now on, in a few words, so that lists stay up to date without polling. It starts
   * with `stream.opened`; read the lists after it, and again after `stream.reset`, because changes may be missing. Several
   * quick changes of a resource may arrive as one. Ends when the app is deleted or the instance is closed.
   * @example `for await (const change of stepwell.apps.stream(app.id)) if (change.type === "run.changed") show(change.run)`
   */
  stream(appId: string, options?: StreamOptions): AsyncIterable<AppChange>;
  /**
   * Returns what an overview shows: open runs, ended runs of the last 24 hours by hour, failing workflows, and the schedules
   * that run next. Its cost depends on the runs of these hours.
   */
  summary(appId: string): Promise<Summary>;
}

/** Options of `apps.stream`. */
export interface StreamOptions {
  /** Ends the iteration. */
  signal?: AbortSignal;
}

/** API keys of apps. */
export interface KeysApi {
  /**
   * Creates an API key for an app. Only this call returns `key`: Stepwell stores its digest.
   * @param input `scopes` defaults to all scopes; without `expires_at`, the key never expires.
   */
  create(appId: string, input: KeyCreate): Promise<IssuedKey>;
  /** Lists the keys of an app, without the keys themselves. */
  list(appId: string, options?: ListOptions): Promise<Page<Key>>;
  /** Iterates over all keys of an app, as {@link list} lists them, page by page. */
  listAll(appId: string, options?: AllOptions): AsyncIterable<Key>;
  /** Revokes a key immediately. Event streams opened with it end. */
  remove(appId: string, keyId: string): Promise<void>;
}

/** The functions of `stepwell.*`. */
export interface Api {
  /** Apps, which own everything else. */
  readonly apps: AppsApi;
  /** API keys of apps. */
  readonly keys: KeysApi;
  /** Workflows with their drafts and versions. */
  readonly workflows: WorkflowsApi;
  /** Runs of workflows. */
  readonly runs: RunsApi;
  /** Waiting input steps, and links to their forms. */
  readonly inputs: InputsApi;
  /** Events that resume waiting runs and start workflows. */
  readonly events: EventsApi;
  /** Scheduled runs: once, at an interval, or by a cron expression. */
  readonly schedules: SchedulesApi;
  /** Encrypted credentials for services. */
  readonly connections: ConnectionsApi;
  /** Incoming webhooks and their signatures. */
  readonly hooks: HooksApi;
  /** Outgoing webhooks: URLs that receive the events of apps. */
  readonly webhooks: WebhooksApi;
  /** Services that steps can call. */
  readonly services: ServicesApi;
  /** Files, upload URLs and links. */
  readonly files: FilesApi;
  /** Collections of records. */
  readonly collections: CollectionsApi;
  /** Triggers of collections, their signature settings, and the events that they received. */
  readonly triggers: TriggersApi;
  /** Trigger types that collections can use. */
  readonly triggerTypes: TriggerTypesApi;
  /** Records of collections. */
  readonly records: RecordsApi;
  /** Rules of collections. */
  readonly rules: RulesApi;
  /** Mappings of collections. */
  readonly mappings: MappingsApi;
  /** Tags of collections and records. */
  readonly tags: TagsApi;
  /** Background jobs, such as an import of records. */
  readonly jobs: JobsApi;
}
