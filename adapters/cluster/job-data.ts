/** The form of jobs in Redis, which others may have written, too: a newer version of Stepwell, or other programs. */
import type { BulkJobOptions, Job as StoredJob } from "bullmq";
import { isRecord } from "../../src/json.ts";
import type { Job, JobKind } from "../../src/ports/cluster.ts";

/** Name of the queue, in the keys and on dashboards. */
export const QUEUE_NAME = "jobs";
/** BullMQ takes up to 2^21. */
const MAX_PRIORITY = 2_000_000;
const MAX_SUBJECT_CHARS = 1_000;
const ID = /^[\w.-]+$/;
/** BullMQ keeps a job under its ID beside its own lists, such as `wait` and `meta`, and refuses IDs of digits only. */
const ID_PREFIX = "job.";

/** The part of the keys in front of the name of the queue. The braces are the hash tag for a Redis Cluster. */
export const keyPrefix = (prefix: string) => `{${prefix}}`;

/** @throws TypeError for a job that the queue would not take */
export function toBulkJob({ id, kind, subject, delayMs = 0, priority = 0 }: Job) {
  if (!ID.test(id)) {
    throw new TypeError(`The ID of the job "${id}" must be of letters, digits, "_", "-" and ".".`);
  }
  if (!Number.isInteger(priority) || priority < 0 || priority > MAX_PRIORITY) {
    throw new TypeError(`The priority of the job "${id}" must be an integer from 0 to ${MAX_PRIORITY}.`);
  }
  // What is kept of a job would swallow the next one with its ID.
  const opts: BulkJobOptions = {
    jobId: `${ID_PREFIX}${id}`,
    priority,
    delay: Math.max(0, Math.ceil(delayMs)),
    attempts: 1,
    removeOnComplete: true,
    removeOnFail: true,
  };
  return { name: kind, data: { subject }, opts };
}

/** `unknown-kind`: a newer version may understand it. `invalid`: nobody does. */
export function readJob(job: StoredJob<unknown>): Pick<Job, "id" | "kind" | "subject"> | "unknown-kind" | "invalid" {
  const { id: storedId = "", name, data } = job;
  if (!isJobKind(name)) return "unknown-kind";
  const id = storedId.slice(ID_PREFIX.length);
  const subject = isRecord(data) ? data["subject"] : undefined;
  const isText = typeof subject === "string" && subject !== "" && subject.length <= MAX_SUBJECT_CHARS;
  return isText && storedId.startsWith(ID_PREFIX) && ID.test(id) ? { id, kind: name, subject } : "invalid";
}

function isJobKind(name: string): name is JobKind {
  return name === "run" || name === "timers";
}
