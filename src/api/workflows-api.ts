/** The functions of `stepwell.*` for workflows, schedules, connections, webhooks and services. */
import type { Connection, ConnectionCreate, ConnectionUpdate } from "../connections/connection.ts";
import type { Diagram } from "../definitions/diagram/diagram.ts";
import type { VersionDiff } from "../definitions/diff/version-diff.ts";
import type { Bundle, BundleInput, Imported } from "../definitions/transfer/bundle.ts";
import type { Uses } from "../definitions/usage/uses.ts";
import type { Page } from "../documents/pagination.ts";
import type { Hook, HookCreate, SignedHook } from "../hooks/hook-view.ts";
import type { HookRequests } from "../hooks/request-log.ts";
import type { JsonInputObject } from "../json.ts";
import type { Schedule, ScheduleCreate, ScheduleUpdate } from "../schedules/schedule.ts";
import type { ServiceInfo } from "../services/service-info.ts";
import type { SignaturePut } from "../signatures/signature-settings.ts";
import type { Deploy, Draft, DraftPut, DraftReplace, Rollback, Validation, Version } from "../workflows/version.ts";
import type { Workflow, WorkflowCreate, WorkflowUpdate } from "../workflows/workflow.ts";
import type {
  AllOptions,
  ConnectionListOptions,
  ListOptions,
  RemovalOptions,
  ScheduleListOptions,
  UsedRemovalOptions,
  WebhookListOptions,
  WorkflowListOptions,
} from "./list-options.ts";

/** Workflows with their drafts and versions. */
export interface WorkflowsApi {
  /**
   * Creates a workflow and its draft. Stepwell validates the draft only when you deploy it.
   * @example `const workflow = await stepwell.workflows.create(app.id, { name: "Review", steps })`
   */
  create(appId: string, input: WorkflowCreate): Promise<Workflow>;
  /** Lists the workflows of an app, newest first. */
  list(appId: string, options?: WorkflowListOptions): Promise<Page<Workflow>>;
  /** Iterates over all workflows, as {@link list} lists them, page by page. */
  listAll(appId: string, options?: AllOptions<WorkflowListOptions>): AsyncIterable<Workflow>;
  /** Returns a workflow, without its draft. */
  get(appId: string, workflowId: string): Promise<Workflow>;
  /**
   * Updates the name, description or visibility. Omitted fields keep their values.
   * @throws StepwellError `precondition_failed` if its revision is not `expected_revision`
   */
  update(appId: string, workflowId: string, input: WorkflowUpdate): Promise<Workflow>;
  /**
   * Deletes a workflow with its draft, versions and webhooks. Active runs continue.
   * @throws StepwellError `conflict` with `users` if active schedules, enabled rules or latest versions of workflows
   * use it, unless `force` is true; `precondition_failed` if its revision is not `expected_revision`
   */
  remove(appId: string, workflowId: string, options?: UsedRemovalOptions): Promise<void>;
  /** Returns the draft with its input definition and steps. */
  getDraft(appId: string, workflowId: string): Promise<Draft>;
  /**
   * Replaces the whole draft. Omitted fields become empty. You can pass a draft that `getDraft` returned.
   * @throws StepwellError `precondition_failed` if its revision is not `expected_revision`
   */
  putDraft(appId: string, workflowId: string, draft: DraftReplace): Promise<Draft>;
  /**
   * Validates a definition as deploying it would, and returns at most 100 problems, each with a JSON Pointer. An
   * invalid definition is a result, not an error.
   * @param definition The definition to validate. @default the draft
   */
  validate(appId: string, workflowId: string, definition?: Draft | DraftPut | JsonInputObject): Promise<Validation>;
  /**
   * Deploys the draft as the next version, which new runs, schedules and webhooks use from now on.
   * @throws StepwellError `invalid` with every problem of the draft; `precondition_failed` if its revision is not
   * `expected_revision`
   */
  deploy(appId: string, workflowId: string, input?: Deploy): Promise<Version>;
  /** Lists the versions of a workflow, newest first, without the draft. */
  listVersions(appId: string, workflowId: string, options?: ListOptions): Promise<Page<Version>>;
  /** Iterates over all versions of a workflow, as {@link listVersions} lists them, page by page. */
  listAllVersions(appId: string, workflowId: string, options?: AllOptions): AsyncIterable<Version>;
  /** Returns a version. @param version Its id, its number, `latest` or `draft`. */
  getVersion(appId: string, workflowId: string, version: string | number): Promise<Version>;
  /**
   * Deploys an earlier version again, as the next one.
   * @param version Its id, its number or `latest`.
   * @throws StepwellError `conflict` for the draft; `invalid` when the version can no longer be deployed
   */
  rollback(appId: string, workflowId: string, version: string | number, input?: Rollback): Promise<Version>;
  /**
   * Compares two versions. Steps are matched by their keys.
   * @param versionA The version to compare from: its id, its number, `latest` or `draft`.
   * @param versionB The version to compare to.
   * @example `await stepwell.workflows.diff(app.id, workflow.id, "latest", "draft")`
   */
  diff(appId: string, workflowId: string, versionA: string | number, versionB: string | number): Promise<VersionDiff>;
  /** Draws a version as Mermaid and SVG. @param version Its id, its number, `latest` or `draft`. */
  diagram(appId: string, workflowId: string, version: string | number): Promise<Diagram>;
  /**
   * Exports a version with the workflows, collections and connections that it refers to. Credentials, files and records are
   * not exported; triggers, tags, schedules and webhooks only with their app.
   * @param version Its id, its number, `latest` or `draft`. An import makes it the latest version.
   * @throws StepwellError `invalid` if no import would accept the document: more than 16 MiB, 1,000 resources of a kind, or
   * 100 versions of a workflow
   */
  export(appId: string, workflowId: string, version: string | number): Promise<Bundle>;
  /**
   * Creates what an export of a workflow or of an app defines, all of it or nothing. Connections are found by name and service.
   * If the document has a `root`, workflows and collections that the app already has are used instead, except the root.
   * Schedules run from now on, unless they are paused. Triggers are disabled and webhooks are off, because a copy must not
   * receive or send anything before you have set it up. The result contains the new secrets of the webhooks.
   * @throws StepwellError `invalid` with a JSON Pointer for each problem; `conflict` if the app would have more than 1,000
   * webhooks; `not_configured` for webhooks if the option `secret` is not set
   * @example
   * ```ts
   * const bundle = await staging.workflows.export(app.id, workflow.id, "latest");
   * const { workflow_id } = await production.workflows.import(target.id, bundle);
   * ```
   */
  import(appId: string, bundle: BundleInput): Promise<Imported>;
  /**
   * Returns what keeps it from being deleted without `force`: schedules that are not paused, enabled rules and triggers, and
   * workflows whose latest version names it.
   */
  uses(appId: string, workflowId: string): Promise<Uses>;
}

/** Scheduled runs: once, at an interval, or by a cron expression. */
export interface SchedulesApi {
  /**
   * Runs a workflow at a point in time (`at`), at an interval in seconds (`every`) or by a cron expression (`cron`).
   * Repeating the call with the same `key` and settings returns the current schedule.
   * @throws StepwellError `invalid`, including for an unknown workflow and for input that its start step does not
   * accept; `conflict` if the schedule with this `key` was created with other settings
   * @example
   * `await stepwell.schedules.create(app.id, { workflow_id, cron: "0 9 * * mon-fri", timezone: "Europe/Berlin" })`
   */
  create(appId: string, input: ScheduleCreate): Promise<Schedule>;
  /** Lists the schedules of an app, newest first, with their upcoming run times. */
  list(appId: string, options?: ScheduleListOptions): Promise<Page<Schedule>>;
  /** Iterates over all schedules, as {@link list} lists them, page by page. */
  listAll(appId: string, options?: AllOptions<ScheduleListOptions>): AsyncIterable<Schedule>;
  /** Returns a schedule with its upcoming run times and its last result. */
  get(appId: string, scheduleId: string): Promise<Schedule>;
  /** Updates, pauses or resumes a schedule. Omitted fields keep their values. @throws StepwellError as {@link create}
   */
  update(appId: string, scheduleId: string, input: ScheduleUpdate): Promise<Schedule>;
  /** Deletes a schedule. Runs that it started continue. */
  remove(appId: string, scheduleId: string, options?: RemovalOptions): Promise<void>;
}

/** Encrypted credentials for services. */
export interface ConnectionsApi {
  /**
   * Stores credentials for a service, encrypted. No function returns them; only the actions of the service receive
   * them, as `context.connection`.
   * @throws StepwellError `invalid` with a JSON Pointer for each credential that the service does not accept;
   * `not_configured` if the option `secret` is not set
   * @example
   * `await stepwell.connections.create(app.id, { name: "Sales", service: "mail", credentials: { user, password } })`
   */
  create(appId: string, input: ConnectionCreate): Promise<Connection>;
  /** Lists the connections of an app, newest first, without credentials. */
  list(appId: string, options?: ConnectionListOptions): Promise<Page<Connection>>;
  /** Iterates over all connections, as {@link list} lists them, page by page. */
  listAll(appId: string, options?: AllOptions<ConnectionListOptions>): AsyncIterable<Connection>;
  /** Returns a connection, without credentials. */
  get(appId: string, connectionId: string): Promise<Connection>;
  /** Renames a connection, or replaces all of its credentials. @throws StepwellError as {@link create} */
  update(appId: string, connectionId: string, input: ConnectionUpdate): Promise<Connection>;
  /**
   * Deletes a connection. Steps that use it fail from now on.
   * @throws StepwellError `conflict` with `users` if enabled triggers or latest versions of workflows use it, unless
   * `force` is true; `precondition_failed` if its revision is not `expected_revision`
   */
  remove(appId: string, connectionId: string, options?: UsedRemovalOptions): Promise<void>;
  /**
   * Returns what keeps it from being deleted without `force`: schedules that are not paused, enabled rules and triggers, and
   * workflows whose latest version names it.
   */
  uses(appId: string, connectionId: string): Promise<Uses>;
}

/**
 * The webhook URLs of deployed input steps. A signature belongs to the URL: it applies until you remove it, even if you
 * deploy the workflow again or another workflow takes over the URL.
 */
export interface HooksApi {
  /** Lists the webhooks of an app, newest first, with their URLs and signature settings. */
  list(appId: string, options?: WebhookListOptions): Promise<Page<Hook>>;
  /** Iterates over all webhooks, as {@link list} lists them, page by page. */
  listAll(appId: string, options?: AllOptions<WebhookListOptions>): AsyncIterable<Hook>;
  /** Returns a webhook with its URL and signature settings, without secrets. */
  get(appId: string, hookId: string): Promise<Hook>;
  /**
   * Creates a webhook before a workflow uses it, so that its URL never accepts unsigned requests. Then deploy an input
   * step with this method and path. Without a secret in `signature`, Stepwell generates one and returns it once.
   * @throws StepwellError `invalid` for a path that no request can have, or a scheme that cannot sign requests of this
   * method; `conflict` if the webhook exists; `not_configured` if the option `secret` is not set
   * @example
   * ```ts
   * const signature = { scheme: "standard-webhooks" } as const;
   * const { url, secret } = await stepwell.hooks.create(app.id, { method: "POST", path: "orders", signature });
   * ```
   */
  create(appId: string, input: HookCreate): Promise<SignedHook>;
  /**
   * Requires a signature on every request. Without `secret`, Stepwell generates one and returns it once; the scheme
   * `stripe` needs the secret that Stripe issued. Earlier secrets stay valid for `overlap` seconds (86,400 by default,
   * at most 604,800), so you can rotate them.
   * @throws StepwellError `invalid` for a scheme that cannot sign requests of this method; `not_configured` if the
   * option `secret` is not set
   * @example `const { secret } = await stepwell.hooks.putSignature(app.id, hook.id, { scheme: "standard-webhooks" })`
   */
  putSignature(appId: string, hookId: string, input: SignaturePut): Promise<SignedHook>;
  /**
   * Returns the last 50 requests to a webhook, newest first: the status that each got, and its run or why it was refused. They
   * are stored a second late, so those just before a crash may be missing.
   */
  requests(appId: string, hookId: string): Promise<HookRequests>;
  /** Stops requiring a signature and deletes the secrets. */
  removeSignature(appId: string, hookId: string): Promise<void>;
}

/** Services that steps can call. */
export interface ServicesApi {
  /** Lists the services that service steps can call, with a JSON Schema for the input and output of each action. */
  list(): Promise<readonly ServiceInfo[]>;
}
