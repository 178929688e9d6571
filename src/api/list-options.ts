/** The options of `stepwell.*` functions: which page of a list, and how long to wait. */
import type { DeliveryStatus } from "../collections/triggers/delivery.ts";
import type { RunStatus } from "../runs/run.ts";
import type { Visibility } from "../schema.ts";

/** Selects one page of a list. Lists are sorted newest first. */
export interface ListOptions {
  /** Number of the page, from 1. @default 1 */
  page?: number;
  /** Items per page, from 1 to 1,000. @default 100 */
  take?: number;
}

/** Selects one page of the items that match a text. */
export interface SearchOptions extends ListOptions {
  /** Text in the name or description. Case and accents are ignored. @default all items */
  search?: string;
}

/** Selects one page of a list of runs. */
export interface RunListOptions extends ListOptions {
  /** Only runs in this status. @default all runs */
  status?: RunStatus;
  /**
   * `next_page_token` of the previous page: continues right after it, regardless of runs created since. Cannot be combined
   * with `page`.
   */
  page_token?: string;
}

/** Selects one page of a list of workflows. */
export interface WorkflowListOptions extends SearchOptions {
  /** Only workflows with this visibility. @default all workflows */
  visibility?: Visibility;
}

/** Selects one page of a list of schedules. */
export interface ScheduleListOptions extends SearchOptions {
  /** Only schedules of this workflow. @default all schedules */
  workflow_id?: string;
}

/** Selects one page of a list of connections. */
export interface ConnectionListOptions extends SearchOptions {
  /** Only connections for the service with this name. @default all connections */
  service?: string;
}

/** Selects one page of a list of webhooks. */
export interface WebhookListOptions extends ListOptions {
  /** Text in the path. Case and accents are ignored. @default all webhooks */
  search?: string;
  /** Only webhooks of this workflow. @default all webhooks */
  workflow_id?: string;
}

/** Selects one page of a list of files. */
export interface FileListOptions extends SearchOptions {
  /** A media type such as `application/pdf`, or a family such as `image/*`. @default all files */
  type?: string;
}

/** Selects one page of a list of collections. */
export interface CollectionListOptions extends SearchOptions {
  /** Ids of tags, at most 20: only collections with any of them. @default all collections */
  tags?: string | string[];
  /** Only collections with this visibility. @default all collections */
  visibility?: Visibility;
  /** `true` lists the deleted collections instead of the others. @default false */
  deleted?: boolean;
}

/** Selects one page of a list of records. */
export interface RecordListOptions extends SearchOptions {
  /** Ids of tags, at most 20: only records with any of them. @default all records */
  tags?: string | string[];
  /**
   * `next_page_token` of the previous page: continues right after it, regardless of records created since. Cannot be
   * combined with `page`.
   */
  page_token?: string;
}

/** Selects one page of a list of deliveries. */
export interface DeliveryListOptions extends ListOptions {
  /** Only deliveries with this status. @default all deliveries */
  status?: DeliveryStatus;
  /** `next_page_token` of the previous page: continues right after it. Cannot be combined with `page`. */
  page_token?: string;
}

/** Options of `runs.wait`. */
export interface WaitOptions {
  /** Milliseconds after which the call returns the run as it is, at most 2,147,483,647 (24 days). @default no limit */
  timeoutMs?: number;
  /** Aborts the wait, not the run: the promise rejects with the reason of the signal. */
  signal?: AbortSignal;
}

/** Options of `runs.events`. */
export interface FollowOptions {
  /** The `id` of the last event that you have: only later ones are returned. @default 0, which returns all events */
  after?: number;
  /** Ends the iteration, not the run. */
  signal?: AbortSignal;
}
