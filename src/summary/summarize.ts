/** Makes summaries of apps, from the marks and totals of lists. Its cost depends on a day's runs, not on all that are stored. */
import { type Caller, hasScope } from "../calls/caller.ts";
import type { Clock } from "../ports/clock.ts";
import type { ListQuery, Store } from "../ports/store.ts";
import { runsWithInputs } from "../runs/open-input.ts";
import type { RunStatus, RunSummary } from "../runs/run.ts";
import { appRuns, createdFrom, createdUntil, runKey, workflowRuns } from "../runs/run-rows.ts";
import type { ScheduleDocument } from "../schedules/schedule.ts";
import { appMark, DUE_LIST, scheduleKey } from "../schedules/schedules.ts";
import { instant } from "../time/iso.ts";
import { HOUR_MS } from "../time/units.ts";
import type { Workflow } from "../workflows/workflow.ts";
import { workflowKey } from "../workflows/workflows.ts";
import type { Summary } from "./summary.ts";

export type Summarize = (appId: string, caller: Caller) => Promise<Summary>;

const HOURS = 24;
/** Failed runs that are read to find the workflows that fail. */
const MAX_FAILED_RUNS = 100;
const MAX_WORKFLOWS = 5;
const MAX_SCHEDULES = 5;
/** Marks tests of one step. */
const STEP_TEST = "trigger:test";

type Window = Pick<ListQuery, "from" | "until">;

export function createSummarize({ store, clock }: { store: Store; clock: Clock }): Summarize {
  async function count(list: string, marks: readonly (readonly string[])[], window: Window = {}): Promise<number> {
    const { total = 0 } = await store.list(list, { limit: 0, marks, ...window });
    return total;
  }

  /** Tests of steps are not counted. There are few, so that subtracting them reads less than asking for all other runs. */
  async function countEnded(list: string, status: RunStatus, window: Window): Promise<number> {
    const all = await count(list, [[`status:${status}`]], window);
    return all === 0 ? 0 : all - (await count(list, [[`status:${status}`], [STEP_TEST]], window));
  }

  async function countByHour(appId: string, start: number): Promise<Summary["hours"]> {
    const list = appRuns(appId);
    const hours: Summary["hours"][number][] = [];
    for (let hour = 0; hour < HOURS; hour++) {
      const from = start + hour * HOUR_MS;
      const window = { from: createdFrom(from), until: createdUntil(from + HOUR_MS - 1) };
      const counts = (["succeeded", "failed", "canceled"] as const).map((status) => countEnded(list, status, window));
      const [succeeded = 0, failed = 0, canceled = 0] = await Promise.all(counts);
      hours.push({ from: instant(from), succeeded, failed, canceled });
    }
    return hours;
  }

  async function failingWorkflows(appId: string, from: string, caller: Caller): Promise<Summary["failing_workflows"]> {
    const query = { limit: MAX_FAILED_RUNS, marks: [["status:failed"]], from, withoutTotal: true };
    const { documents } = await store.listDocuments<RunSummary>(appRuns(appId), query, runKey);
    const newest = new Map<string, RunSummary>();
    for (const { document: run } of documents) {
      if (run.trigger.type !== "test" && !newest.has(run.workflow_id)) newest.set(run.workflow_id, run);
    }
    const failing = [...newest].map(async ([workflowId, run]) => ({
      ...{ workflowId, run, failed: await countEnded(workflowRuns(workflowId), "failed", { from }) },
    }));
    const most = (await Promise.all(failing)).sort((one, other) => other.failed - one.failed).slice(0, MAX_WORKFLOWS);
    const keys = hasScope(caller, "workflows:read") ? most.map(({ workflowId }) => workflowKey(workflowId)) : [];
    const workflows = await store.getMany<Workflow>(keys);
    return most.map(({ workflowId, run: { id, error, created_at }, failed }, index) => ({
      workflow_id: workflowId,
      name: workflows[index]?.document.name ?? null,
      failed,
      last_run: {
        id,
        code: error?.code ?? "internal",
        message: error?.message ?? "",
        step: error?.step ?? null,
        created_at,
      },
    }));
  }

  async function nextSchedules(appId: string, caller: Caller): Promise<Summary["next_schedules"]> {
    if (!hasScope(caller, "schedules:read")) return [];
    const query = { limit: MAX_SCHEDULES, descending: false, marks: [[appMark(appId)]], withoutTotal: true };
    const { documents } = await store.listDocuments<ScheduleDocument>(DUE_LIST, query, scheduleKey);
    return documents.flatMap(({ document: { id, name, workflow_id, next_at } }) =>
      next_at === null ? [] : [{ id, name, workflow_id, next_at }],
    );
  }

  return async (appId, caller) => {
    const now = clock.now();
    const start = Math.floor(now / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
    const list = appRuns(appId);
    const open = (["queued", "running", "waiting"] as const).map((status) => count(list, [[`status:${status}`]]));
    const [queued = 0, running = 0, waiting = 0] = await Promise.all(open);
    const [waiting_for_input = 0] = await store.totals([runsWithInputs(appId)]);
    const hours = await countByHour(appId, start);
    const sum = (status: "succeeded" | "failed" | "canceled") => hours.reduce((all, hour) => all + hour[status], 0);
    return {
      at: instant(now),
      open: { queued, running, waiting },
      waiting_for_input,
      last_24_hours: { succeeded: sum("succeeded"), failed: sum("failed"), canceled: sum("canceled") },
      hours,
      failing_workflows: await failingWorkflows(appId, createdFrom(start), caller),
      next_schedules: await nextSchedules(appId, caller),
    };
  };
}
