/** The routes of jobs. Other routes create them. */
import { one, pageOf, route } from "../http/route.ts";
import { Job, JobQuery } from "./job.ts";
import type { Jobs } from "./jobs.ts";

export interface Slices {
  readonly jobs: Jobs;
}

export const jobRoutes = {
  list: route({
    method: "GET",
    path: "/apps/{app_id}/jobs",
    access: "app",
    scope: "jobs:read",
    summary: "List the jobs of an app, newest first. A job is deleted 30 days after its end.",
    query: JobQuery,
    answers: pageOf(Job),
    run: ({ jobs }: Slices, { params, query }) => jobs.list(params.app_id, query),
  }),
  get: route({
    method: "GET",
    path: "/apps/{app_id}/jobs/{job_id}",
    access: "app",
    scope: "jobs:read",
    summary:
      "Get a job with its progress and its report. With `Prefer: wait=N`, respond when the job has ended or after N seconds.",
    answers: one(Job),
    run: ({ jobs }: Slices, { params }) => jobs.get(params.app_id, params.job_id),
    settle: {
      isDone: ({ status }, wait) => wait === 0 || status !== "running",
      wait: ({ jobs }, { params, wait, signal }) => jobs.wait(params.app_id, params.job_id, wait * 1_000, signal),
    },
    waits: true,
  }),
  cancel: route({
    method: "POST",
    path: "/apps/{app_id}/jobs/{job_id}/cancel",
    access: "app",
    scope: "jobs:write",
    summary:
      "Cancel a job. The batch in progress ends first and is counted; nothing is undone. A job that has ended does not change.",
    answers: one(Job),
    run: ({ jobs }: Slices, { params }) => jobs.cancel(params.app_id, params.job_id),
  }),
};
