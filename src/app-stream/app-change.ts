/** What the stream of an app says: what has changed, in a few words, so that lists stay up to date without polling. */
import * as v from "valibot";
import type { ApiKeyScope } from "../calls/caller.ts";
import { JOB_KINDS, JOB_STATUSES } from "../jobs/job.ts";
import { RunSummary } from "../runs/run.ts";

const timeField = {
  /** When it happened, ISO 8601. */
  at: v.string(),
} as const;

const idFields = {
  ...timeField,
  /** Id of the resource. */
  id: v.string(),
} as const;

const CONTROL = [
  v.object({
    /** Changes from now on follow. Read the lists that you show after this. */
    type: v.literal("stream.opened"),
    ...timeField,
  }),
  v.object({
    /** Changes may be missing before this, such as after a slow read. Read the lists that you show again. */
    type: v.literal("stream.reset"),
    ...timeField,
  }),
] as const;

const writtenRun = {
  ...idFields,
  /** The run as lists show it. The message of its error has at most 200 characters. */
  run: RunSummary,
} as const;

const RUNS = [
  v.object({
    /** A run was created. */
    type: v.literal("run.created"),
    ...writtenRun,
  }),
  v.object({
    /** The status of a run has changed. */
    type: v.literal("run.changed"),
    ...writtenRun,
  }),
  v.object({
    /** A run was deleted. */
    type: v.literal("run.removed"),
    ...idFields,
    /** Workflow of the run. */
    workflow_id: v.string(),
  }),
] as const;

const inputFields = {
  ...timeField,
  /** Id of the run. */
  run_id: v.string(),
  /** Workflow of the run. */
  workflow_id: v.string(),
  /** Key of the input step. */
  step_key: v.string(),
} as const;

const INPUTS = [
  v.object({
    /** An input step waits. */
    type: v.literal("input.waiting"),
    ...inputFields,
    /** When the step started waiting, ISO 8601. */
    since: v.string(),
    /** When the step fails with the code `timeout`, ISO 8601; null for no time limit. */
    until: v.nullable(v.string()),
  }),
  v.object({
    /** An input step no longer waits: its values were provided, its time is up, or the run has ended. */
    type: v.literal("input.ended"),
    ...inputFields,
  }),
] as const;

const recordFields = {
  ...idFields,
  /** Collection of the record. */
  collection_id: v.string(),
  /** Version of the record. */
  version: v.number(),
} as const;

const RECORDS = [
  v.object({
    /** A record was created. */
    type: v.literal("record.created"),
    ...recordFields,
    /** Number of rules that have no result yet. */
    pending_rules: v.number(),
  }),
  v.object({
    /** A record was updated, or rules have settled. */
    type: v.literal("record.changed"),
    ...recordFields,
    /** Number of rules that have no result yet. */
    pending_rules: v.number(),
  }),
  v.object({
    /** A record was deleted. */
    type: v.literal("record.removed"),
    ...recordFields,
  }),
] as const;

const JOBS = [
  v.object({
    /** A job was started, or has made progress. */
    type: v.picklist(["job.created", "job.changed"]),
    ...idFields,
    /** What the job does. */
    kind: v.picklist(JOB_KINDS),
    /** `running` until the job has ended. */
    status: v.picklist(JOB_STATUSES),
    /** Number of completed items. */
    done: v.number(),
    /** Number of items when the job was created; null if it is unknown. */
    total: v.nullable(v.number()),
  }),
] as const;

const DEFINITIONS = [
  v.object({
    /** The draft of a workflow was saved. `id` is that of the workflow. */
    type: v.literal("draft.saved"),
    ...idFields,
    /** Revision of the draft. */
    revision: v.number(),
  }),
  v.object({
    /** A workflow was deployed. `id` is that of the workflow. */
    type: v.literal("version.deployed"),
    ...idFields,
    /** Id of the version. */
    workflow_version_id: v.string(),
    /** Number of the version. */
    version: v.number(),
    /** User or API key that deployed it; null for your program and a session of the console, without a user. */
    by: v.nullable(
      v.object({
        /** Id of the acting user, else of the API key. */
        id: v.string(),
        /** Name of the acting user or of the API key; null for none. */
        name: v.nullable(v.string()),
      }),
    ),
  }),
] as const;

const written = <const Resource extends string>(resource: Resource) =>
  v.picklist([`${resource}.created`, `${resource}.changed`, `${resource}.removed`] as const);

/** Resources of which a message contains only the id: what is shown of them is small, or contains data. */
export const PLAIN_RESOURCES = [
  "workflow",
  "collection",
  "tag",
  "file",
  "schedule",
  "connection",
  "hook",
  "webhook",
] as const;
type PlainResource = (typeof PLAIN_RESOURCES)[number];

const PlainChange = v.object({
  /** A resource was created, changed or deleted. A deleted collection can be restored, which changes it. */
  type: v.union([
    written("workflow"),
    written("collection"),
    written("tag"),
    written("file"),
    written("schedule"),
    written("connection"),
    written("hook"),
    written("webhook"),
    v.literal("job.removed"),
  ]),
  ...idFields,
});

export const AppChange = v.union([...CONTROL, ...RUNS, ...INPUTS, ...RECORDS, ...JOBS, ...DEFINITIONS, PlainChange]);
/** A change in an app, as its stream tells it. `type` determines the other fields. */
export type AppChange = Readonly<v.InferOutput<typeof AppChange>>;

/** What `type` begins with. */
type Group = "run" | "input" | "record" | "job" | "draft" | "version" | PlainResource;

/** The scope with which a caller may read what has changed. */
const SCOPE_OF: Readonly<Record<Group, ApiKeyScope>> = {
  run: "runs:read",
  input: "runs:read",
  record: "collections:read",
  collection: "collections:read",
  tag: "collections:read",
  workflow: "workflows:read",
  draft: "workflows:read",
  version: "workflows:read",
  job: "jobs:read",
  file: "files:read",
  schedule: "schedules:read",
  connection: "connections:read",
  hook: "hooks:read",
  webhook: "webhooks:read",
};

const groupOf = (type: string) => type.slice(0, type.indexOf("."));

/** The scope that a change needs; undefined if all callers get it. */
export function scopeOf({ type }: AppChange): ApiKeyScope | undefined {
  const group = groupOf(type);
  return Object.hasOwn(SCOPE_OF, group) ? SCOPE_OF[group as Group] : undefined;
}

/** Whether a change says nothing but what has changed. */
export const isPlain = ({ type }: AppChange) => PLAIN_RESOURCES.some((resource) => type.startsWith(`${resource}.`));

/** What a later change replaces: of the same resource, or of the same input step. */
export function subjectOf(change: AppChange): string {
  const group = groupOf(change.type);
  if ("run_id" in change) return `${group}:${change.run_id}/${change.step_key}`;
  return "id" in change ? `${group}:${change.id}` : group;
}
