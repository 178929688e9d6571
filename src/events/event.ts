/** The events of an app: their types, and the schema of the data of each. */
import * as v from "valibot";
import { RuleResult } from "../collections/records/record.ts";
import { File } from "../files/file.ts";
import { RunSummary } from "../runs/run.ts";
import { jsonValue, list, map, Visibility } from "../schema.ts";

const recordIds = {
  /** `rec_…` */
  id: v.string(),
  /** Collection that the record belongs to. */
  collection_id: v.string(),
  /** Version of the record. */
  version: v.number(),
} as const;

const WrittenRecord = v.object({
  ...recordIds,
  /** Values by entity and field. Absent if the event is `truncated`. */
  data: v.exactOptional(map(map(jsonValue))),
  /** Ids of the tags. Absent if the event is `truncated`. */
  tags: v.exactOptional(list(v.string())),
  /** ISO 8601. Absent if the event is `truncated`. */
  created_at: v.exactOptional(v.string()),
  /** ISO 8601. Absent if the event is `truncated`. */
  updated_at: v.exactOptional(v.string()),
});
/** A record when it was created or updated. */
export interface WrittenRecord extends Readonly<v.InferOutput<typeof WrittenRecord>> {}

const DeletedRecord = v.object(recordIds);
/** A record that was deleted, with its last version. */
export interface DeletedRecord extends Readonly<v.InferOutput<typeof DeletedRecord>> {}

const SettledRule = v.object({
  /** Collection that the record belongs to. */
  collection_id: v.string(),
  /** Record that the rule checked. */
  record_id: v.string(),
  /** Version of the record that it checked. */
  record_version: v.number(),
  ...RuleResult.entries,
});
/** The result of a rule for a record. */
export interface SettledRule extends Readonly<v.InferOutput<typeof SettledRule>> {
  /** Why the result is `ERROR`, or null. */
  readonly error: {
    /** Error code. */
    readonly code: string;
    /** What went wrong. */
    readonly message: string;
  } | null;
}

const ChangedCollection = v.object({
  /** `coll_…` */
  id: v.string(),
  /** Name for people. */
  name: v.string(),
  /** `PUBLIC` collections can be read without an API key. */
  visibility: Visibility,
  /** Ids of the tags. */
  tags: list(v.string()),
});
/** A collection when it was created, updated or deleted. */
export interface ChangedCollection extends Readonly<v.InferOutput<typeof ChangedCollection>> {}

const DeployedVersion = v.object({
  /** Workflow that was deployed. */
  workflow_id: v.string(),
  /** Id of the version. */
  workflow_version_id: v.string(),
  /** Number of the version. */
  version: v.number(),
  /** Number of the version that a rollback deployed again; absent for other deployments. */
  rollback_version: v.exactOptional(v.number()),
});
/** A version of a workflow when it was deployed. */
export interface DeployedVersion extends Readonly<v.InferOutput<typeof DeployedVersion>> {}

/** The schema of the data of each event type. */
export const EVENT_DATA = {
  "run.created": RunSummary,
  "run.queued": RunSummary,
  "run.started": RunSummary,
  "run.waiting": RunSummary,
  "run.succeeded": RunSummary,
  "run.failed": RunSummary,
  "run.canceled": RunSummary,
  "record.created": WrittenRecord,
  "record.updated": WrittenRecord,
  "record.deleted": DeletedRecord,
  "rule.passed": SettledRule,
  "rule.warned": SettledRule,
  "rule.failed": SettledRule,
  "rule.error": SettledRule,
  "file.created": File,
  "file.deleted": File,
  "collection.created": ChangedCollection,
  "collection.updated": ChangedCollection,
  "collection.deleted": ChangedCollection,
  "workflow.deployed": DeployedVersion,
} as const;

/** A type of event, such as `record.updated`. */
export type EventType = keyof typeof EVENT_DATA;
export const EVENT_TYPES: readonly string[] = Object.keys(EVENT_DATA);

const EVENT_GROUPS = ["run", "record", "rule", "file", "collection", "workflow"] as const;

/** The data of the events of each group. */
interface GroupData {
  run: RunSummary;
  rule: SettledRule;
  file: File;
  collection: ChangedCollection;
  workflow: DeployedVersion;
}

type GroupOf<Type extends EventType> = Type extends `${infer Group}.${string}` ? Group : never;

/** The data of events of a type. */
export type EventData<Type extends EventType> = Type extends "record.deleted"
  ? DeletedRecord
  : GroupOf<Type> extends keyof GroupData
    ? GroupData[GroupOf<Type>]
    : WrittenRecord;

/** An event: a stored change of a resource in an app. */
export type StepwellEvent<Type extends EventType = EventType> = {
  readonly [One in Type]: {
    /** `evt_…`. Events of one resource have ascending ids. */
    readonly id: string;
    /** Type of the event. */
    readonly type: One;
    /** ISO 8601. */
    readonly created_at: string;
    /** App that owns the resource. */
    readonly app_id: string;
    /** Whether `data` has only ids and the version, because it would exceed 64 KiB of JSON. */
    readonly truncated: boolean;
    /** The resource at the time of the event. */
    readonly data: EventData<One>;
  };
}[Type];

/** A pattern for types of events: one type, all types of a group (`record.*`), or all types (`*`). */
export type EventPattern = EventType | `${GroupOf<EventType>}.*` | "*";

/** The types that a pattern matches. */
export type EventTypesOf<Pattern extends EventPattern> = Pattern extends EventType
  ? Pattern
  : Pattern extends `${infer Group}.*`
    ? Extract<EventType, `${Group}.${string}`>
    : EventType;

/** A group of types of events, such as `record`. */
export type EventGroup = GroupOf<EventType>;

/** The groups of the types that a pattern matches. */
export function groupsOf(pattern: string): readonly EventGroup[] {
  const types = new Set(typesOf(pattern));
  return EVENT_GROUPS.filter((group) => [...types].some((type) => type.startsWith(`${group}.`)));
}

/** The types that a pattern matches; empty for an invalid pattern. */
export function typesOf(pattern: string): readonly string[] {
  if (pattern === "*") return EVENT_TYPES;
  if (!pattern.endsWith(".*")) return EVENT_TYPES.filter((type) => type === pattern);
  return EVENT_TYPES.filter((type) => type.startsWith(pattern.slice(0, -1)));
}
