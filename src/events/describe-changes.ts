/** Describes the change of a document as events. Pure. */
import type { CollectionDocument } from "../collections/collection.ts";
import type { RecordDocument, RuleResult, StoredResult } from "../collections/records/record.ts";
import { resultView } from "../collections/records/rules/rule-result.ts";
import { type FileDocument, toFile } from "../files/file.ts";
import { minJsonLength, omitUndefined } from "../json.ts";
import type { Document, Key } from "../ports/store.ts";
import { type RunStatus, type RunSummary, summaryOf } from "../runs/run.ts";
import type { Version } from "../workflows/version.ts";
import type { EventData, EventType, StepwellEvent } from "./event.ts";

/** Limit of the data of an event, in bytes of JSON. Only records can exceed it. */
export const MAX_DATA_BYTES = 64 * 1024;

/** An event before it is stored: without id and time. */
type DraftOf<Type extends EventType> = { [One in Type]: Omit<StepwellEvent<One>, "id" | "created_at"> & Origin }[Type];
export type EventDraft = DraftOf<EventType>;

/** Where an event comes from. */
export interface Origin {
  /** Id of the resource that changed. The events of one resource are delivered in order. */
  readonly resource: string;
  /** Collection or workflow that the event belongs to; null if there is none. */
  readonly parent: string | null;
}

/** An event, with the resource and parent that decide which webhooks get it, and in which order. */
export interface OriginalEvent extends Origin {
  readonly event: StepwellEvent;
}

type Describe = (before: Document | null, after: Document | null) => readonly EventDraft[];

/** @param describe Gets the document before and after a change; null if there is none. */
function describer<T extends Document>(
  describe: (before: T | null, after: T | null) => readonly EventDraft[],
): Describe {
  return (before, after) => describe(before as T | null, after as T | null); // the prefix of the key determines the type
}

const RUN_EVENTS = {
  queued: "run.queued",
  running: "run.started",
  waiting: "run.waiting",
  succeeded: "run.succeeded",
  failed: "run.failed",
  canceled: "run.canceled",
} as const satisfies Readonly<Record<RunStatus, EventType>>;

const RULE_EVENTS = {
  PASS: "rule.passed",
  WARN: "rule.warned",
  FAIL: "rule.failed",
  ERROR: "rule.error",
} as const satisfies Readonly<Record<Exclude<RuleResult["result"], "PENDING">, EventType>>;

function describeRun(before: RunSummary | null, after: RunSummary | null): EventDraft[] {
  if (after === null || before?.status === after.status) return [];
  const { id, app_id, workflow_id, status } = after;
  const about = { app_id, truncated: false, data: summaryOf(after), resource: id, parent: workflow_id };
  const changed: EventDraft = { type: RUN_EVENTS[status], ...about };
  return before === null ? [{ type: "run.created", ...about }, changed] : [changed];
}

function describeRecord(before: RecordDocument | null, after: RecordDocument | null): EventDraft[] {
  const either = after ?? before;
  if (either === null) return [];
  const { id, app_id, collection_id, version } = either;
  const about = { app_id, truncated: false, resource: id, parent: collection_id } as const;
  if (after === null) return [{ type: "record.deleted", ...about, data: { id, collection_id, version } }];
  const known = new Map(before?.rule_results.map((result) => [result.key, result]));
  const rules = after.rule_results.flatMap((result) => describeRule(after, result, known.get(result.key)));
  if (before?.version === version) return rules;
  const written = { ...about, ...recordData(after) };
  return [{ type: before === null ? "record.created" : "record.updated", ...written }, ...rules];
}

function describeRule(
  record: RecordDocument,
  after: StoredResult,
  before: StoredResult | undefined,
): readonly EventDraft[] {
  const { id, app_id, collection_id, version } = record;
  const { result } = after;
  if (result === "PENDING") return [];
  if (before?.result === result && before.finished_at === after.finished_at) return [];
  const data = { collection_id, record_id: id, record_version: version, ...resultView(after) };
  const about = { app_id, truncated: false, resource: id, parent: collection_id };
  return [{ type: RULE_EVENTS[result], ...about, data }];
}

function recordData(record: RecordDocument): {
  readonly truncated: boolean;
  readonly data: EventData<"record.created">;
} {
  const { id, collection_id, version, data, tags, created_at, updated_at } = record;
  const whole = { id, collection_id, version, data, tags: [...tags], created_at, updated_at };
  return isTooLarge(whole)
    ? { truncated: true, data: { id, collection_id, version } }
    : { truncated: false, data: whole };
}

/** Serializes only what may be too large: one character is at most six bytes. */
function isTooLarge(data: object): boolean {
  const least = minJsonLength(data, MAX_DATA_BYTES);
  if (least > MAX_DATA_BYTES || least * 24 <= MAX_DATA_BYTES) return least > MAX_DATA_BYTES;
  return new TextEncoder().encode(JSON.stringify(data)).length > MAX_DATA_BYTES;
}

function describeFile(before: FileDocument | null, after: FileDocument | null): EventDraft[] {
  const file = after ?? before;
  if (file === null || (before !== null && after !== null)) return [];
  const about = { app_id: file.app_id, truncated: false, data: toFile(file), resource: file.id, parent: null };
  return [{ type: after === null ? "file.deleted" : "file.created", ...about }];
}

function describeCollection(before: CollectionDocument | null, after: CollectionDocument | null): EventDraft[] {
  if (after === null) return [];
  const { id, app_id, name, visibility, tags } = after;
  const data = { id, name, visibility, tags: [...tags] };
  const about = { app_id, truncated: false, data, resource: id, parent: id };
  if (before === null) return [{ type: "collection.created", ...about }];
  if (after.deleted && !before.deleted) return [{ type: "collection.deleted", ...about }];
  return isUpdated(before, after) ? [{ type: "collection.updated", ...about }] : [];
}

/** Whether anything changed except the fields that only Stepwell uses. */
export function isUpdated(
  { has_records: _, indexes: _indexes, ...before }: CollectionDocument,
  { has_records, indexes, ...after }: CollectionDocument,
) {
  return JSON.stringify(before) !== JSON.stringify(after);
}

/** Ignores version 0, which is a draft that is run. */
function describeVersion(before: Version | null, after: Version | null): EventDraft[] {
  if (before !== null || after === null || after.version === 0) return [];
  const { id, app_id, workflow_id, version, rollback_version } = after;
  const data = { workflow_id, workflow_version_id: id, version, ...omitUndefined({ rollback_version }) };
  const about = { app_id, truncated: false, data, resource: workflow_id, parent: workflow_id };
  return [{ type: "workflow.deployed", ...about }];
}

const DESCRIBERS: Readonly<Record<string, Describe>> = {
  run: describer<RunSummary>(describeRun),
  record: describer<RecordDocument>(describeRecord),
  file: describer<FileDocument>(describeFile),
  collection: describer<CollectionDocument>(describeCollection),
  version: describer<Version>(describeVersion),
};

export const kindOf = (key: Key) => key.slice(0, key.indexOf(":"));

/** Whether changes of this document can cause events. */
export const isDescribed = (key: Key) => Object.hasOwn(DESCRIBERS, kindOf(key));

/** Returns the events that a change causes, in order. */
export function describeChange(key: Key, before: Document | null, after: Document | null): readonly EventDraft[] {
  return DESCRIBERS[kindOf(key)]?.(before, after) ?? [];
}
