/** What the functions of `stepwell.*` take beside ids and bodies: which page of a list, and how long to wait. */
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

export interface RunListOptions extends ListOptions {
  /** Only runs in this status. @default all runs */
  status?: RunStatus;
  /**
   * `next_page_token` of the previous page: continues right after it, whatever was created since. Cannot be combined with
   * `page`.
   */
  page_token?: string;
}

export interface WorkflowListOptions extends SearchOptions {
  /** Only workflows with this visibility. @default all workflows */
  visibility?: Visibility;
}

export interface ScheduleListOptions extends SearchOptions {
  /** Only schedules of this workflow. @default all schedules */
  workflow_id?: string;
}

export interface ConnectionListOptions extends SearchOptions {
  /** Only connections for the service with this name. @default all connections */
  service?: string;
}

export interface WebhookListOptions extends ListOptions {
  /** Text in the path. Case and accents are ignored. @default all webhooks */
  search?: string;
  /** Only webhooks of this workflow. @default all webhooks */
  workflow_id?: string;
}

export interface FileListOptions extends SearchOptions {
  /** A media type such as `application/pdf`, or a family such as `image/*`. @default all files */
  type?: string;
}

export interface CollectionListOptions extends SearchOptions {
  /** Ids of tags, at most 20: only collections with any of them. @default all collections */
  tags?: string | string[];
  /** Only collections with this visibility. @default all collections */
  visibility?: Visibility;
  /** `true` lists the deleted collections instead of the others. @default false */
  deleted?: boolean;
}

export interface RecordListOptions extends SearchOptions {
  /** Ids of tags, at most 20: only records with any of them. @default all records */
  tags?: string | string[];
  /**
   * `next_page_token` of the previous page: continues right after it, whatever was created since. Cannot be combined with
   * `page`.
   */
  page_token?: string;
}

export interface WaitOptions {
  /** Milliseconds, at most 2,147,483,647 (24 days), after which the run is returned as it is. @default no limit */
  timeout?: number;
  /** Aborts the wait, not the run: the promise rejects with the reason of the signal. */
  signal?: AbortSignal;
}

export interface FollowOptions {
  /** The `id` of the last event that you have: only later ones are returned. @default 0, which returns all events */
  after?: number;
  /** Ends the iteration, not the run. */
  signal?: AbortSignal;
}
