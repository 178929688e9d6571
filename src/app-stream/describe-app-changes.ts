/** Describes the change of a document as the stream of its app tells it. Pure. */
import type { CollectionDocument } from "../collections/collection.ts";
import type { RecordDocument } from "../collections/records/record.ts";
import { revisionOf } from "../documents/expected-version.ts";
import { isUpdated } from "../events/describe-changes.ts";
import type { JobDocument } from "../jobs/job.ts";
import type { Document, Key } from "../ports/store.ts";
import type { OpenInput } from "../runs/open-input.ts";
import { hasEnded, type RunSummary, summaryOf } from "../runs/run.ts";
import type { Version } from "../workflows/version.ts";
import { type AppChange, PLAIN_RESOURCES } from "./app-change.ts";

/** A change before its app and time are known. */
type Without<Field extends string, Change> = Change extends unknown ? Omit<Change, Field> : never;
export type UntimedChange = Without<"at", AppChange>;

type Describe = (before: Document | null, after: Document | null) => readonly UntimedChange[];

function describer<T extends Document>(
  describe: (before: T | null, after: T | null) => readonly UntimedChange[],
): Describe {
  return (before, after) => describe(before as T | null, after as T | null); // the prefix of the key determines the type
}

/** What is read here of the document of a run. */
interface StoredRun extends RunSummary {
  readonly inputs?: readonly OpenInput[];
}

/** As much of the message of an error as a list shows. */
const MAX_ERROR_CHARS = 200;

function describeRun(before: StoredRun | null, after: StoredRun | null): UntimedChange[] {
  const inputs = describeInputs(before, after);
  if (after === null) {
    return before === null ? [] : [...inputs, { type: "run.removed", id: before.id, workflow_id: before.workflow_id }];
  }
  if (before !== null && !isShownOtherwise(before, after)) return inputs;
  const { error, ...run } = summaryOf(after);
  const short = error === null ? null : { ...error, message: error.message.slice(0, MAX_ERROR_CHARS) };
  const type = before === null ? "run.created" : "run.changed";
  return [{ type, id: after.id, run: { ...run, error: short } }, ...inputs];
}

const isShownOtherwise = (before: StoredRun, after: StoredRun) =>
  before.status !== after.status ||
  before.started_at !== after.started_at ||
  before.workflow_version_id !== after.workflow_version_id ||
  before.begins_at !== after.begins_at;

function describeInputs(before: StoredRun | null, after: StoredRun | null): UntimedChange[] {
  const run = after ?? before;
  const [earlier, open] = [openInputs(before), openInputs(after)];
  if (run === null || (earlier.length === 0 && open.length === 0)) return [];
  const { id: run_id, workflow_id } = run;
  const isIn = (inputs: readonly OpenInput[], { key, since }: OpenInput) =>
    inputs.some((other) => other.key === key && other.since === since);
  const ended = earlier.filter(({ key }) => !open.some((other) => other.key === key));
  const waiting = open.filter((input) => !isIn(earlier, input));
  return [
    ...ended.map(({ key }) => ({ type: "input.ended", run_id, workflow_id, step_key: key }) as const),
    ...waiting.map(
      ({ key, since, until }) => ({ type: "input.waiting", run_id, workflow_id, step_key: key, since, until }) as const,
    ),
  ];
}

const openInputs = (run: StoredRun | null): readonly OpenInput[] =>
  run === null || hasEnded(run.status) ? [] : (run.inputs ?? []);

function describeRecord(before: RecordDocument | null, after: RecordDocument | null): UntimedChange[] {
  if (after !== null) {
    const { id, collection_id, version, rule_results } = after;
    const type = before === null ? "record.created" : "record.changed";
    const pending_rules = rule_results.filter(({ result }) => result === "PENDING").length;
    return [{ type, id, collection_id, version, pending_rules }];
  }
  if (before === null) return [];
  const { id, collection_id, version } = before;
  return [{ type: "record.removed", id, collection_id, version }];
}

/** A deleted collection keeps its document for a while. */
function describeCollection(before: CollectionDocument | null, after: CollectionDocument | null): UntimedChange[] {
  if (after === null) return before === null || before.deleted ? [] : [{ type: "collection.removed", id: before.id }];
  const { id } = after;
  if (before === null) return [{ type: "collection.created", id }];
  if (after.deleted && !before.deleted) return [{ type: "collection.removed", id }];
  return isUpdated(before, after) ? [{ type: "collection.changed", id }] : [];
}

function describeJob(before: JobDocument | null, after: JobDocument | null): UntimedChange[] {
  if (after === null) return before === null ? [] : [{ type: "job.removed", id: before.id }];
  const { id, kind, status, done, total } = after;
  return [{ type: before === null ? "job.created" : "job.changed", id, kind, status, done, total }];
}

/** Ignores version 0, which is a draft that is run. */
function describeVersion(before: Version | null, after: Version | null): UntimedChange[] {
  if (before !== null || after === null || after.version === 0) return [];
  const { id, workflow_id, version, created_by = null } = after;
  return [{ type: "version.deployed", id: workflow_id, workflow_version_id: id, version, by: created_by }];
}

type Plain = Exclude<(typeof PLAIN_RESOURCES)[number], "collection">;

const describePlain = (resource: Plain) =>
  describer<{ readonly id: string }>((before, after) => {
    const id = (after ?? before)?.id;
    if (id === undefined) return [];
    if (after === null) return [{ type: `${resource}.removed`, id }];
    return [{ type: before === null ? `${resource}.created` : `${resource}.changed`, id }];
  });

const plain = PLAIN_RESOURCES.filter((resource): resource is Plain => resource !== "collection");

const DESCRIBERS: Readonly<Record<string, Describe>> = {
  ...Object.fromEntries(plain.map((resource) => [resource, describePlain(resource)])),
  run: describer<StoredRun>(describeRun),
  record: describer<RecordDocument>(describeRecord),
  collection: describer<CollectionDocument>(describeCollection),
  job: describer<JobDocument>(describeJob),
  version: describer<Version>(describeVersion),
};

const kindOf = (key: Key) => key.slice(0, key.indexOf(":"));
const idOf = (key: Key) => key.slice(key.indexOf(":") + 1);

/** Whether the stream of an app tells changes of this document. */
export const isTold = (key: Key) => Object.hasOwn(DESCRIBERS, kindOf(key));

/** The changes that the stream tells, in order. */
export const describeAppChange = (key: Key, before: Document | null, after: Document | null) =>
  DESCRIBERS[kindOf(key)]?.(before, after) ?? [];

/** The workflow of a draft that is saved, which names its app; undefined for any other document. */
export const workflowOfDraft = (key: Key) => (kindOf(key) === "draft" ? idOf(key) : undefined);

/** @param draft As it is stored. */
export function describeDraft(workflowId: string, draft: { readonly revision?: number }): UntimedChange {
  return { type: "draft.saved", id: workflowId, revision: revisionOf(draft) };
}
