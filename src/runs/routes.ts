/** The routes of runs. */

import type * as v from "valibot";
import type { Apps } from "../apps/apps.ts";
import type { Keys } from "../apps/keys.ts";
import { type Caller, hasScope, requireScope } from "../calls/caller.ts";
import { watchCaller } from "../calls/watch-caller.ts";
import { isStepwellError } from "../errors.ts";
import { accepted, createdAt, createdSecret, nothing, one, pageOf, rawRoute, route } from "../http/route.ts";
import { Job } from "../jobs/job.ts";
import { check, jsonObject } from "../schema.ts";
import { type BulkRuns, RunsBulk } from "./bulk-runs.ts";
import { AfterQuery, lastEventId, openStream, resumedStream } from "./event-stream.ts";
import type { Inspections } from "./inspection/inspections.ts";
import { inspectionRoutes } from "./inspection/routes.ts";
import { RunQuery } from "./inspection/step-details.ts";
import { hasEnded, Run, RunCreate, RunReplay, RunRetry, RunSummary, StepTest, withoutData } from "./run.ts";
import { RunEvent } from "./run-event.ts";
import { FollowedRun, FollowedRunEvent, RunLink, RunLinkCreate, type RunLinks } from "./run-links.ts";
import { RunsQuery, WorkflowRunsQuery } from "./run-query.ts";
import type { Runs } from "./runs.ts";
import { triggeredBy } from "./triggered-by.ts";

export interface Slices {
  readonly runs: Runs;
  readonly bulkRuns: BulkRuns;
  readonly inspections: Inspections;
  readonly runLinks: RunLinks;
}

/** Ends a stream when its reader loses access. */
export interface Access {
  readonly apps: Pick<Apps, "watch">;
  readonly keys: Pick<Keys, "watch">;
}

const RUN = "/apps/{app_id}/runs/{run_id}";
const read = { access: "app", scope: "runs:read" } as const;
const write = { access: "app", scope: "runs:write" } as const;
/** A key that may only start runs, or change them, sees the status of a run, but not its data. */
const show = (run: Run, caller: Caller) => (hasScope(caller, "runs:read") ? run : withoutData(run));
const locationOf = ({ app_id, id }: Run) => `/apps/${app_id}/runs/${id}`;
/** By the settings of its workflow, a call may start no run. */
const isExisting = ({ existing }: Run) => existing === true;
const isDone = ({ status }: Run, wait: number) => wait === 0 || hasEnded(status);

const ENDED = { meaning: "The run has ended, and `Last-Event-ID` is the id of its last event." };
const RESUME = { headers: ["Last-Event-ID"], query: AfterQuery };

/** Waits for the end of a run that a request has started. */
const settle = {
  isDone,
  async wait({ runs }: Slices, { params, wait, signal }: Waiting, run: Run): Promise<Run> {
    try {
      return await runs.wait(params.app_id, run.id, wait * 1_000, signal);
    } catch (error) {
      // A repeat of the request may come after the run was deleted.
      if (!isStepwellError(error, "not_found")) throw error;
      return run;
    }
  },
};

/** Returns a run, or what of it is not longer than the preview. */
function getRun({ runs, inspections }: Slices, { params, query }: ReadRun): Promise<Run> {
  const { app_id, run_id } = params;
  return query.preview === undefined ? runs.get(app_id, run_id) : inspections.preview(app_id, run_id, query.preview);
}

interface ReadRun {
  readonly params: { readonly app_id: string; readonly run_id: string };
  readonly query: v.InferOutput<typeof RunQuery>;
}

interface Waiting {
  readonly params: { readonly app_id: string };
  /** Seconds. */
  readonly wait: number;
  readonly signal: AbortSignal | undefined;
}

export const runRoutes = {
  create: route({
    method: "POST",
    path: "/apps/{app_id}/workflows/{workflow_id}/runs",
    ...write,
    summary: "Run a workflow. With `Prefer: wait=N`, respond when the run has ended or after N seconds.",
    body: RunCreate,
    answers: createdAt(Run, locationOf, isExisting),
    run: ({ runs }: Slices, { params, body, caller, receipt }) =>
      runs.create(params.app_id, params.workflow_id, body, triggeredBy(caller), receipt),
    show,
    settle,
    waits: true,
  }),
  testStep: route({
    method: "POST",
    path: "/apps/{app_id}/workflows/{workflow_id}/draft/steps/{step_key}/test",
    ...write,
    summary:
      "Test one step of the draft, with the given outputs instead of executing the steps before it. With `Prefer: wait=N`, respond when the run has ended or after N seconds.",
    body: StepTest,
    answers: createdAt(Run, locationOf),
    run: ({ runs }: Slices, { params, body, caller, receipt }) =>
      runs.testStep(params.app_id, params.workflow_id, params.step_key, body, caller, receipt),
    show,
    settle,
    waits: true,
  }),
  listOfWorkflow: route({
    method: "GET",
    path: "/apps/{app_id}/workflows/{workflow_id}/runs",
    ...read,
    summary:
      "List the runs of a workflow, newest first or, with order=asc, oldest first. Filters with several values match any of them; all filters must match.",
    query: WorkflowRunsQuery,
    answers: pageOf(RunSummary),
    run: ({ runs }: Slices, { params, query }) => {
      const { app_id, workflow_id } = params;
      return runs.list(app_id, { ...query, workflow_id });
    },
  }),
  list: route({
    method: "GET",
    path: "/apps/{app_id}/runs",
    ...read,
    summary:
      "List the runs of an app, newest first or, with order=asc, oldest first. Filters with several values match any of them; all filters must match.",
    query: RunsQuery,
    answers: pageOf(RunSummary),
    run: ({ runs }: Slices, { params, query }) => runs.list(params.app_id, query),
  }),
  bulk: route({
    method: "POST",
    path: "/apps/{app_id}/runs/bulk",
    ...write,
    summary: "Start a job that retries, replays, cancels or deletes the runs that a filter or their ids select.",
    body: RunsBulk,
    answers: accepted(Job),
    run: ({ bulkRuns }: Slices, { params, body, receipt, caller }) =>
      bulkRuns.start(params.app_id, body, caller, receipt),
  }),
  get: route({
    method: "GET",
    path: RUN,
    ...read,
    summary:
      "Get a run with its steps. With `Prefer: wait=N`, respond when the run has ended or after N seconds. With `preview`, without long values.",
    query: RunQuery,
    answers: one(Run),
    run: getRun,
    settle: {
      isDone,
      async wait(slices, { params, query, wait, signal }, _run) {
        const run = await slices.runs.wait(params.app_id, params.run_id, wait * 1_000, signal);
        const { preview } = check(RunQuery, query ?? {}, "query");
        return preview === undefined ? run : getRun(slices, { params, query: { preview } });
      },
    },
    waits: true,
  }),
  ...inspectionRoutes,
  cancel: route({
    method: "POST",
    path: `${RUN}/cancel`,
    ...write,
    summary: "Cancel a run. A run that has ended does not change.",
    answers: one(Run),
    show,
    run: ({ runs }: Slices, { params }) => runs.cancel(params.app_id, params.run_id),
  }),
  retry: route({
    method: "POST",
    path: `${RUN}/retry`,
    ...write,
    summary:
      "Retry a failed or canceled run from where it stopped, or from a step. Completed steps are not re-executed. With `version`, the run continues on that version.",
    body: RunRetry,
    answers: one(Run),
    show,
    run: ({ runs }: Slices, { params, body }) => runs.retry(params.app_id, params.run_id, body),
  }),
  replay: route({
    method: "POST",
    path: `${RUN}/replay`,
    ...write,
    summary:
      "Start a new run with the same or another input, on the same or another version. With `from_step`, it keeps the outcomes of the earlier steps.",
    body: RunReplay,
    answers: createdAt(Run, locationOf, isExisting),
    show,
    run: ({ runs }: Slices, { params, body, caller, receipt }) =>
      runs.replay(params.app_id, params.run_id, body, caller, receipt),
  }),
  remove: route({
    method: "DELETE",
    path: RUN,
    ...write,
    summary: "Delete an ended run with its outputs. To delete a child run, its parent must have ended too.",
    answers: nothing(),
    run: ({ runs }: Slices, { params }) => runs.remove(params.app_id, params.run_id),
  }),
  events: rawRoute({
    method: "GET",
    path: `${RUN}/events`,
    ...read,
    summary:
      "Stream the events of a run as server-sent events until it ends. Resume with Last-Event-ID. After a retry, ids continue from the last one, and the outcomes that the retry keeps are sent again under new ids. The stream closes when the key is revoked or expires, or the app is deleted.",
    described: { request: RESUME, answers: { 200: { body: { "text/event-stream": RunEvent } }, 204: ENDED } },
    respond: ({ apps, keys, runs }: Slices & Access, request, { caller, params: { app_id, run_id }, signal }) =>
      openStream(signal, async (controller) => {
        const after = lastEventId(request);
        // The stream just ends when access ends. A client that reconnects gets 401 or 404.
        await apps.watch(app_id, controller);
        await watchCaller(keys, caller, controller);
        const events = await runs.events(app_id, run_id, after, controller.signal);
        const mayBeOver = after > 0 && hasEnded((await runs.get(app_id, run_id)).status);
        return resumedStream(events, controller, mayBeOver);
      }),
  }),
  createLink: route({
    method: "POST",
    path: `${RUN}/links`,
    ...write,
    summary:
      "Create a link through which a browser follows the run without a key: its statuses and, optionally, its output.",
    body: RunLinkCreate,
    answers: createdSecret(RunLink),
    run({ runLinks }: Slices, { params, body, caller, receipt }) {
      // A link shows no more than the key that creates it may read.
      if (body.output === true) requireScope(caller, "runs:read");
      return runLinks.create(params.app_id, params.run_id, body, receipt);
    },
  }),
  removeLink: route({
    method: "DELETE",
    path: `${RUN}/links/{link_id}`,
    ...write,
    summary: "Revoke a link to a run.",
    answers: nothing(),
    run: ({ runLinks }: Slices, { params }) => runLinks.remove(params.app_id, params.run_id, params.link_id),
  }),
  provide: route({
    method: "POST",
    path: `${RUN}/inputs/{step_key}`,
    ...write,
    summary: "Provide the values that a waiting input step of a run needs. The run resumes.",
    body: jsonObject,
    answers: one(Run),
    show,
    run: ({ runs }: Slices, { params, body }) => runs.provide(params.app_id, params.run_id, params.step_key, body),
  }),
};

export const followRoutes = {
  follow: rawRoute({
    method: "GET",
    path: "/public/apps/runs/{token}",
    access: "open",
    summary:
      "Follow a run through its link: its statuses as JSON or, with `Accept: text/event-stream`, its events. Resume with Last-Event-ID.",
    described: {
      request: RESUME,
      answers: {
        200: { body: { "application/json": FollowedRun, "text/event-stream": FollowedRunEvent } },
        204: ENDED,
      },
    },
    async respond({ apps, runLinks }: Slices & Access, request, { params, signal }) {
      const headers = { "cache-control": "no-store", "referrer-policy": "no-referrer", vary: "accept" };
      const accepts = request.headers.get("accept") ?? "";
      if (!accepts.includes("text/event-stream")) return Response.json(await runLinks.show(params.token), { headers });
      const after = lastEventId(request);
      return openStream(signal, async (controller) => {
        const { app_id, hasEnded: isOver, events } = await runLinks.open(params.token);
        await apps.watch(app_id, controller);
        return resumedStream(events(after, controller.signal), controller, after > 0 && isOver);
      });
    },
  }),
};
