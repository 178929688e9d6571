/**
 * The service functions: everything that the HTTP interface does, called in process.
 *
 * Each takes the parameters of its path in order, then a body or a query, checks them as HTTP does, and rejects with a
 * {@link StepwellError} where HTTP answers with a problem. They act for the host, which may do everything.
 */
import type * as v from "valibot";
import type { App, AppCreate, AppUpdate } from "../apps/app.ts";
import type { IssuedKey, Key, KeyCreate } from "../apps/key.ts";
import type { Collection, CollectionCreate, CollectionUpdate } from "../collections/collection.ts";
import type { CollectionRecord, RecordCreate, RecordUpdate, RecordUpsert } from "../collections/records/record.ts";
import type { Tag, TagCreate, TagUpdate } from "../collections/tag.ts";
import type { Connection, ConnectionCreate, ConnectionUpdate } from "../connections/connection.ts";
import type { Page } from "../documents/pagination.ts";
import type { File, FileUpdate } from "../files/file.ts";
import type { FileLink, FileLinkCreate } from "../files/file-links.ts";
import type { FileContent } from "../files/files.ts";
import type { ByteRange } from "../files/parse-range.ts";
import type { SignaturePut, SignedWebhook, Webhook } from "../hooks/signature.ts";
import type { JsonObject } from "../json.ts";
import type { Run, RunCreate, RunReplay, RunStatus, RunSummary } from "../runs/run.ts";
import type { RunEvent } from "../runs/run-event.ts";
import type { Schedule, ScheduleCreate, ScheduleUpdate } from "../schedules/schedule.ts";
import type { Visibility } from "../schema.ts";
import type { ServiceInfo } from "../services/service-info.ts";
import type { Upload, UploadCreate } from "../uploads/upload.ts";
import type { Content } from "../uploads/uploads.ts";
import type { Deploy, Draft, DraftPut, Rollback, Validation, Version } from "../workflows/version.ts";
import type { Workflow, WorkflowCreate, WorkflowUpdate } from "../workflows/workflow.ts";

/** Which page of a list, newest first. */
export interface ListOptions {
  /** @default 1 */
  page?: number;
  /** 1 to 1,000. @default 100 */
  take?: number;
}

export interface SearchOptions extends ListOptions {
  /** Text in the name or description, whatever its case and accents. */
  search?: string;
}

export interface RunListOptions extends ListOptions {
  status?: RunStatus;
  /** `next_page_token` of the page before: goes on behind it, whatever came in between. */
  page_token?: string;
}

export interface WorkflowListOptions extends SearchOptions {
  visibility?: Visibility;
}

export interface FileListOptions extends SearchOptions {
  /** A media type such as `application/pdf`, or a family such as `image/*`. */
  type?: string;
}

export interface CollectionListOptions extends SearchOptions {
  /** Ids, at most 20: those that carry any of them. */
  tags?: string | string[];
  visibility?: Visibility;
  /** Those that were deleted, instead of those that were not. @default false */
  deleted?: boolean;
}

/** A collection as it is given: what has a default may be left out. */
export interface CollectionInput extends v.InferInput<typeof CollectionCreate> {}
export interface CollectionChanges extends v.InferInput<typeof CollectionUpdate> {}
export interface RecordInput extends v.InferInput<typeof RecordCreate> {}
export interface RecordChanges extends v.InferInput<typeof RecordUpdate> {}
export interface RecordUpsertInput extends v.InferInput<typeof RecordUpsert> {}

export interface RecordListOptions extends SearchOptions {
  /** Ids, at most 20: those that carry any of them. */
  tags?: string | string[];
  /** `next_page_token` of the page before: goes on behind it, whatever came in between. */
  page_token?: string;
}

export interface TagInput extends v.InferInput<typeof TagCreate> {}

export interface WaitOptions {
  /** Milliseconds after which the run is given as it stands. Left out, it is waited for until it ends. */
  timeout?: number;
  /** Ends the waiting, not the run. */
  signal?: AbortSignal;
}

export interface FollowOptions {
  /** The `id` of the last event that is known already. @default 0 */
  after?: number;
  /** Ends the following, not the run. */
  signal?: AbortSignal;
}

export interface AppsApi {
  /** @example `const app = await stepwell.apps.create({ name: "Lending" })` */
  create(input: AppCreate): Promise<App>;
  list(options?: ListOptions): Promise<Page<App>>;
  get(appId: string): Promise<App>;
  update(appId: string, input: AppUpdate): Promise<App>;
  /** Closes an app: its keys stop working and everything in it is gone for callers. */
  remove(appId: string): Promise<void>;
}

export interface KeysApi {
  /** Issues an API key. The answer is the only time that the key itself is shown. */
  create(appId: string, input: KeyCreate): Promise<IssuedKey>;
  list(appId: string, options?: ListOptions): Promise<Page<Key>>;
  /** Revokes a key, at once. */
  remove(appId: string, keyId: string): Promise<void>;
}

export interface WorkflowsApi {
  /** Creates a workflow with its draft. */
  create(appId: string, input: WorkflowCreate): Promise<Workflow>;
  list(appId: string, options?: WorkflowListOptions): Promise<Page<Workflow>>;
  get(appId: string, workflowId: string): Promise<Workflow>;
  update(appId: string, workflowId: string, input: WorkflowUpdate): Promise<Workflow>;
  /** Removes a workflow with its draft and versions; runs that are under way go on. */
  remove(appId: string, workflowId: string): Promise<void>;
  getDraft(appId: string, workflowId: string): Promise<Draft>;
  /** Replaces the draft whole. */
  putDraft(appId: string, workflowId: string, draft: DraftPut): Promise<Draft>;
  /** Everything that stands against deploying a definition; of the draft, when none is given. */
  validate(appId: string, workflowId: string, definition?: JsonObject): Promise<Validation>;
  /** Freezes the draft as the next version. Rejects with `invalid` and every problem of the draft. */
  deploy(appId: string, workflowId: string, input?: Deploy): Promise<Version>;
  listVersions(appId: string, workflowId: string, options?: ListOptions): Promise<Page<Version>>;
  /** @param version An id, a number, `latest`, or `draft`. */
  getVersion(appId: string, workflowId: string, version: string | number): Promise<Version>;
  /** Deploys an earlier version again, as the next one. */
  rollback(appId: string, workflowId: string, version: string | number, input?: Rollback): Promise<Version>;
}

export interface RunsApi {
  /** Starts a run of the latest version, or of the one that is named. Settles once the run is stored. */
  create(appId: string, workflowId: string, input?: RunCreate): Promise<Run>;
  list(appId: string, options?: RunListOptions): Promise<Page<RunSummary>>;
  listOfWorkflow(appId: string, workflowId: string, options?: RunListOptions): Promise<Page<RunSummary>>;
  get(appId: string, runId: string): Promise<Run>;
  /** The run when it has ended. */
  wait(appId: string, runId: string, options?: WaitOptions): Promise<Run>;
  /**
   * Everything that has happened in a run, and what happens from now on, until it has ended.
   * @example `for await (const event of stepwell.runs.events(app.id, run.id)) console.log(event.type, event.step)`
   */
  events(appId: string, runId: string, options?: FollowOptions): AsyncIterable<RunEvent>;
  /** Lets a run that failed or was canceled go on from there; what has succeeded is not done again. */
  retry(appId: string, runId: string): Promise<Run>;
  /** Runs the same input again, of the same version unless another is named. */
  replay(appId: string, runId: string, input?: RunReplay): Promise<Run>;
  /** Stops a run; one that has ended stays as it is. */
  cancel(appId: string, runId: string): Promise<Run>;
  /** Gives an input step that waits in the middle of a run its values; the run goes on. */
  provide(appId: string, runId: string, stepKey: string, values: JsonObject): Promise<Run>;
}

export interface ScheduleListOptions extends SearchOptions {
  /** Those of one workflow. */
  workflow_id?: string;
}

export interface SchedulesApi {
  /**
   * Runs a workflow at a moment, every so often, or as a cron expression says.
   * @example `await stepwell.schedules.create(app.id, { workflow_id, cron: "0 9 * * mon-fri", timezone: "Europe/Berlin" })`
   */
  create(appId: string, input: ScheduleCreate): Promise<Schedule>;
  list(appId: string, options?: ScheduleListOptions): Promise<Page<Schedule>>;
  get(appId: string, scheduleId: string): Promise<Schedule>;
  /** Changes a schedule, pauses it, or lets it go on. */
  update(appId: string, scheduleId: string, input: ScheduleUpdate): Promise<Schedule>;
  /** Removes a schedule; runs that it has set off go on. */
  remove(appId: string, scheduleId: string): Promise<void>;
}

export interface ConnectionListOptions extends SearchOptions {
  /** Those for one service. */
  service?: string;
}

export interface ConnectionsApi {
  /**
   * Stores credentials for a service, encrypted. Nothing gives them back but the `connection` that actions of the service
   * are called with.
   * @example `await stepwell.connections.create(app.id, { name: "Sales", service: "mail", credentials: { user, password } })`
   */
  create(appId: string, input: ConnectionCreate): Promise<Connection>;
  list(appId: string, options?: ConnectionListOptions): Promise<Page<Connection>>;
  get(appId: string, connectionId: string): Promise<Connection>;
  /** Renames a connection, or replaces its credentials, all of them. */
  update(appId: string, connectionId: string, input: ConnectionUpdate): Promise<Connection>;
  /** Removes a connection; steps that use it fail from now on. */
  remove(appId: string, connectionId: string): Promise<void>;
}

export interface WebhookListOptions extends ListOptions {
  /** Text in the path, whatever its case and accents. */
  search?: string;
  /** Those of one workflow. */
  workflow_id?: string;
}

/**
 * The addresses that `webhook` of an input step opens, from the deployment on. A signature is asked for by the address:
 * it stays through deployments, also when the address goes to another workflow, until it is taken away.
 */
export interface HooksApi {
  list(appId: string, options?: WebhookListOptions): Promise<Page<Webhook>>;
  get(appId: string, hookId: string): Promise<Webhook>;
  /**
   * Refuses from now on what is not signed. A secret that is left out is generated, and shown in this answer only; of
   * `stripe` it must be given. The secrets before it are taken for `overlap` seconds more, a day unless said.
   * @example `const { secret } = await stepwell.hooks.putSignature(app.id, hook.id, { scheme: "standard-webhooks" })`
   */
  putSignature(appId: string, hookId: string, input: SignaturePut): Promise<SignedWebhook>;
  /** Takes what comes, signed or not. */
  removeSignature(appId: string, hookId: string): Promise<void>;
}

export interface ServicesApi {
  /** What service steps can call, built in and of the host, with JSON Schema of what each action takes and gives. */
  list(): Promise<readonly ServiceInfo[]>;
}

export interface FileInput {
  name: string;
  body: Uint8Array;
  /** @default PRIVATE */
  visibility?: Visibility;
  /** What the file is made for: the same key gives the same file, however often it is asked for. Left out, a new one. */
  key?: string;
}

export interface FilesApi {
  /** Makes an address that takes one file from whoever has it, without a key. */
  createUpload(appId: string, input?: UploadCreate): Promise<Upload>;
  /**
   * Receives the file of an upload address in process.
   * @param upload The `upload_url`, or the id that it ends with.
   */
  receive(upload: string, content: Content): Promise<File>;
  /** Makes a file of what this process has at hand. */
  create(appId: string, input: FileInput): Promise<File>;
  /**
   * The text of a document: of PDF, Office and OpenDocument, HTML, e-mail, CSV and plain text.
   * Rejects with `unsupported_media_type` or `too_large` and what is wrong with it.
   */
  text(appId: string, fileId: string, options?: { signal?: AbortSignal }): Promise<string>;
  list(appId: string, options?: FileListOptions): Promise<Page<File>>;
  get(appId: string, fileId: string): Promise<File>;
  /** Renames a file, changes who may see it, or when it goes away by itself. */
  update(appId: string, fileId: string, input: FileUpdate): Promise<File>;
  /** Makes an address that gives the bytes of a file for a while (an hour) to whoever has it, without a key. */
  createLink(appId: string, fileId: string, input?: FileLinkCreate): Promise<FileLink>;
  /** The bytes of a file, or those from `start` up to, not including, `end`. */
  content(appId: string, fileId: string, range?: ByteRange): Promise<FileContent>;
  remove(appId: string, fileId: string): Promise<void>;
}

export interface CollectionsApi {
  create(appId: string, input: CollectionInput): Promise<Collection>;
  list(appId: string, options?: CollectionListOptions): Promise<Page<Collection>>;
  get(appId: string, collectionId: string): Promise<Collection>;
  /** A list that is given replaces the one that is there. */
  update(appId: string, collectionId: string, input: CollectionChanges): Promise<Collection>;
  /** Deletes a collection; it is still listed with `deleted: true`. */
  remove(appId: string, collectionId: string): Promise<void>;
}

/**
 * Writing a record copies its fields as the mappings of the collection say, and runs the collection's rules: the answer
 * waits for them for 10 seconds, and rules that take longer are PENDING in it.
 */
export interface RecordsApi {
  /**
   * @example
   * ```ts
   * const record = await stepwell.records.create(app.id, collection.id, { data: { loan: { amount: 250_000 } } });
   * console.log(record.rule_results.map(({ key, result }) => `${key}: ${result}`));
   * ```
   */
  create(appId: string, collectionId: string, input: RecordInput): Promise<CollectionRecord>;
  list(appId: string, collectionId: string, options?: RecordListOptions): Promise<Page<CollectionRecord>>;
  /** Changes the record that has a value in a field, or creates it: one, however many do so at once. */
  upsert(appId: string, collectionId: string, input: RecordUpsertInput): Promise<CollectionRecord>;
  get(appId: string, collectionId: string, recordId: string): Promise<CollectionRecord>;
  /** Puts what is given in the place of what is there; null takes a field or an entity away. */
  update(appId: string, collectionId: string, recordId: string, input: RecordChanges): Promise<CollectionRecord>;
  /** Runs the rules again, on the record as it is. */
  evaluate(appId: string, collectionId: string, recordId: string): Promise<CollectionRecord>;
  remove(appId: string, collectionId: string, recordId: string): Promise<void>;
}

export interface TagsApi {
  create(appId: string, input: TagInput): Promise<Tag>;
  list(appId: string, options?: SearchOptions): Promise<Page<Tag>>;
  get(appId: string, tagId: string): Promise<Tag>;
  update(appId: string, tagId: string, input: TagUpdate): Promise<Tag>;
  remove(appId: string, tagId: string): Promise<void>;
}

export interface Api {
  readonly apps: AppsApi;
  readonly keys: KeysApi;
  readonly workflows: WorkflowsApi;
  readonly runs: RunsApi;
  readonly schedules: SchedulesApi;
  readonly connections: ConnectionsApi;
  readonly hooks: HooksApi;
  readonly services: ServicesApi;
  readonly files: FilesApi;
  readonly collections: CollectionsApi;
  readonly records: RecordsApi;
  readonly tags: TagsApi;
}
