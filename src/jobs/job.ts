/** A job: long work on the data of an app, a batch at a time, with its progress and a report. */
import * as v from "valibot";
import { pageQuery, tokenQuery } from "../documents/pagination.ts";
import { list, strictObject } from "../schema.ts";

/** The kinds of jobs. The slice that executes a kind registers it. */
export const JOB_KINDS = ["records.evaluate", "records.import", "runs.bulk"] as const;
/** What a job does. */
export type JobKindName = (typeof JOB_KINDS)[number];

export const JOB_STATUSES = ["running", "succeeded", "failed", "canceled"] as const;
/** Status of a job. A job stays `running` while no process executes it. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Maximum number of problems in a report. */
export const MAX_PROBLEMS = 100;

const JobProblem = v.object({
  /** Line of the imported text that has the problem, starting at 1; null if there is none. */
  line: v.nullable(v.number()),
  /** Record that has the problem; null if there is none. */
  record_id: v.nullable(v.string()),
  /** Run that has the problem. Only for `runs.bulk`. */
  run_id: v.exactOptional(v.string()),
  /** Error code. */
  code: v.string(),
  /** What went wrong, at most 300 characters. */
  message: v.string(),
});
/** A problem with one item of a job. The job continues with the others. */
export interface JobProblem extends Readonly<v.InferOutput<typeof JobProblem>> {}

const WrittenRecords = v.object({
  /** Number of new records. */
  created: v.number(),
  /** Number of times that a record was changed. */
  updated: v.number(),
  /** Number of rows whose record already had these values. */
  unchanged: v.number(),
});
/** What an import has written so far. */
export interface WrittenRecords extends Readonly<v.InferOutput<typeof WrittenRecords>> {}

export const Job = v.object({
  /** `job_…` */
  id: v.string(),
  /** What the job does. */
  kind: v.picklist(JOB_KINDS),
  /** `running` until the job has ended. */
  status: v.picklist(JOB_STATUSES),
  /** Number of completed items. */
  done: v.number(),
  /** Number of items when the job was created; null if it is unknown. */
  total: v.nullable(v.number()),
  /** Problems with single items. */
  report: v.object({
    /** Number of problems. */
    failed: v.number(),
    /** The first 100 problems. */
    problems: list(JobProblem),
    /** What the rows have done. Only for `records.import`. */
    written: v.exactOptional(WrittenRecords),
  }),
  /** Why the job failed, or null. */
  error: v.nullable(
    v.object({
      /** Error code. */
      code: v.string(),
      /** What went wrong. */
      message: v.string(),
    }),
  ),
  /** ISO 8601. */
  created_at: v.string(),
  /** When the job ended, ISO 8601, or null. */
  finished_at: v.nullable(v.string()),
  /** When the job is deleted, ISO 8601: 30 days after its end. Null while it is running. */
  expires_at: v.nullable(v.string()),
});
/** A background job on the data of an app, with its progress. */
export interface Job extends Readonly<v.InferOutput<typeof Job>> {
  /** Problems of single items. */
  readonly report: {
    /** Number of problems. */
    readonly failed: number;
    /** The first 100 problems. */
    readonly problems: readonly JobProblem[];
    /** What the rows have done. Only for `records.import`. */
    readonly written?: WrittenRecords;
  };
}

export const JobQuery = strictObject({
  ...pageQuery,
  ...tokenQuery,
  status: v.exactOptional(v.picklist(JOB_STATUSES)),
});
export interface JobQuery extends v.InferOutput<typeof JobQuery> {}

/** A job as stored. */
export interface JobDocument extends Omit<Job, "expires_at"> {
  readonly app_id: string;
  /** Arguments of the job, as its kind defines them. */
  readonly task: object;
  /** Where to continue, as its kind defines it; null at the beginning. */
  readonly position: object | null;
  /** Present when the job has ended. */
  readonly expires_at?: string;
  /** List that contains the job. */
  readonly listed_in: string;
}

export function jobView({ app_id, task, position, listed_in, expires_at, ...job }: JobDocument): Job {
  return { ...job, expires_at: expires_at ?? null };
}
