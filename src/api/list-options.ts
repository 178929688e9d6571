/** Options of `stepwell.*` functions: pages and filters of lists, and timeouts. */

import type { DeliveryStatus } from "../collections/triggers/deliveries/delivery.ts";
import type { RunStatus } from "../runs/run.ts";
import type { TriggerType } from "../runs/run-labels.ts";
import type { Visibility } from "../schema.ts";

/** Selects one page of a short list, whose order callers define. */
export interface PageOptions {
  /** Number of the page, from 1. @default 1 */
  page?: number;
  /** Items per page, from 1 to 1,000. @default 100 */
  take?: number;
}

/** Selects one page of a list. Lists are sorted newest first. */
export interface ListOptions extends PageOptions {
  /**
   * `next_page_token` of the previous page: continues right after it, regardless of items created or deleted since.
   * Cannot be combined with `page`.
   */
  page_token?: string;
}

/** Selects all items of a list, with the filters of the list. `take` is the number of items that are read at once. */
export type AllOptions<Options extends PageOptions = ListOptions> = Omit<Options, "page" | "page_token">;

/** Selects one page of the items that match a text. */
export interface SearchOptions extends ListOptions {
  /** Text in the name or description. Case and accents are ignored. @default all items */
  search?: string;
}

/**
 * Selects one page of the runs of a workflow. Filters with several values match any of them; all filters must match.
 */
export interface WorkflowRunListOptions extends ListOptions, RunFilterOptions {
  /** `desc`: newest first. `asc`: oldest first. @default desc */
  order?: "asc" | "desc";
}

/** Selects runs that match all conditions. */
export interface RunFilterOptions {
  /** Only runs in this status, or in one of several. @default all runs */
  status?: RunStatus | readonly RunStatus[];
  /** Only runs of the version with this number; 0 for the draft. @default all runs */
  version?: number;
  /** Only runs that a trigger of this type, or of one of several types, started. @default all runs */
  trigger?: TriggerType | readonly TriggerType[];
  /** Only runs with this tag, or with one of several tags. @default all runs */
  tags?: string | readonly string[];
  /** Only runs whose metadata has all of these values: at most 4. @default all runs */
  metadata?: Record<string, string | number | boolean>;
  /** Only child runs of this run. @default all runs */
  parent_run_id?: string;
  /** Only child runs of this step of `parent_run_id`, by its key. */
  parent_step?: string;
  /** Only runs created then or later, ISO 8601. @default all runs */
  created_after?: string;
  /** Only runs created before then, ISO 8601. @default all runs */
  created_before?: string;
  /**
   * Only the run with this id, or runs with this text in a tag, a value of the metadata or the first 200 characters of
   * the error message, regardless of case. A search may look at every run that the other filters leave.
   * @default all runs
   */
  search?: string;
}

/** Selects runs, and the action to take on them. */
export interface RunsBulkOptions {
  /**
   * `retry`: failed and canceled runs. `cancel`: open runs. `delete`: ended runs. `replay`: any runs. Child runs are
   * not retried or replayed on their own.
   */
  action: "retry" | "replay" | "cancel" | "delete";
  /** The runs to act on, among those that exist now. Required unless `ids` or `all` is set. @default none */
  filter?: RunFilterOptions & {
    /** Only runs of this workflow. @default all runs */
    workflow_id?: string;
  };
  /** These runs instead, at most 1,000 ids. Those that don't exist are in the report of the job. @default those of the filter */
  ids?: readonly string[];
  /** Must be true to select all runs of the app, without a filter. @default false */
  all?: boolean;
}

/** Selects one page of a list of runs. */
export interface RunListOptions extends WorkflowRunListOptions {
  /** Only runs of this workflow. @default all runs */
  workflow_id?: string;
}

/** Selects one page of a list of workflows. */
export interface WorkflowListOptions extends SearchOptions {
  /** Only workflows with this visibility. @default all workflows */
  visibility?: Visibility;
  /** Only workflows that are tools of the app's MCP server, or only others. @default all workflows */
  tool?: boolean;
}

/** Selects one page of a list of schedules. */
export interface ScheduleListOptions extends SearchOptions {
  /** Only schedules of this workflow. @default all schedules */
  workflow_id?: string;
}

/** Selects one page of a list of runs that wait for input. */
export interface WaitingRunListOptions extends ListOptions {
  /** Only runs of this workflow. @default all runs */
  workflow_id?: string;
}

/** Selects one page of a list of events. */
export interface EventListOptions extends ListOptions {
  /** Only events with this name. @default all events */
  name?: string;
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
  tags?: string | readonly string[];
  /** Only collections with this visibility. @default all collections */
  visibility?: Visibility;
  /** `true` lists the deleted collections instead of the others. @default false */
  deleted?: boolean;
}

/** Selects one page of a list of deliveries. */
export interface DeliveryListOptions extends ListOptions {
  /** Only deliveries with this status. @default all deliveries */
  status?: DeliveryStatus;
}

/** Options of `schedules.remove`. */
export interface RemovalOptions {
  /**
   * Revision that the resource must have; otherwise the call rejects with `precondition_failed`. @default any revision
   */
  expected_revision?: number;
}

/** Options of the deletion of a workflow, collection or connection. */
export interface UsedRemovalOptions extends RemovalOptions {
  /**
   * Whether to delete the resource even if it is in use. This pauses its schedules and disables its rules and triggers.
   * Steps of other workflows that use it fail.
   * @default false
   */
  force?: boolean;
}

/** Options of `runs.wait` and `jobs.wait`. */
export interface WaitOptions {
  /**
   * Milliseconds after which the call returns the run or job in its current state, at most 2,147,483,647 (24 days).
   * @default no limit
   */
  timeoutMs?: number;
  /** Aborts the wait, not the run or job: the promise rejects with the reason of the signal. */
  signal?: AbortSignal;
}

/** Options of `runs.events`. */
export interface FollowOptions {
  /** The `id` of the last event that you received; later ones follow. @default 0: all events */
  after?: number;
  /** Ends the iteration, not the run. */
  signal?: AbortSignal;
}

/** Selects one page of the deliveries of a webhook. */
export interface WebhookDeliveryListOptions extends ListOptions {
  /** Only deliveries with this status. @default all deliveries */
  status?: "pending" | "delivered" | "failed";
}
