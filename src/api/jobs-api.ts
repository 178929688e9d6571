/** The functions of `stepwell.jobs`. */
import type { Page } from "../documents/pagination.ts";
import type { Job, JobStatus } from "../jobs/job.ts";
import type { AllOptions, ListOptions, WaitOptions } from "./list-options.ts";

/** Selects one page of a list of jobs. */
export interface JobListOptions extends ListOptions {
  /** Only jobs with this status. @default all jobs */
  status?: JobStatus;
}

/**
 * Background jobs, which other functions start, such as `records.import`. After a crash, a job resumes after its last
 * completed batch. Stepwell deletes it 30 days after its end. An app can have at most 20 running jobs.
 */
export interface JobsApi {
  /** Lists the jobs of an app, newest first. */
  list(appId: string, options?: JobListOptions): Promise<Page<Job>>;
  /** Iterates over all jobs, as {@link list} lists them, page by page. */
  listAll(appId: string, options?: AllOptions<JobListOptions>): AsyncIterable<Job>;
  /** Returns a job with its progress and its report. */
  get(appId: string, jobId: string): Promise<Job>;
  /**
   * Waits until the job has succeeded, failed or been canceled, or until `timeoutMs`, and returns it.
   * @example `const { report } = await stepwell.jobs.wait(app.id, job.id)`
   * @throws StepwellError `unavailable` if the instance closes first; the job resumes at the next start
   */
  wait(appId: string, jobId: string, options?: WaitOptions): Promise<Job>;
  /** Cancels a job. The batch in progress ends first and is counted; nothing is undone. A job that has ended does not change. */
  cancel(appId: string, jobId: string): Promise<Job>;
}
