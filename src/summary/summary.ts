/** What an overview of an app shows: counts of its runs, what fails, and what comes next. */
import * as v from "valibot";
import { list } from "../schema.ts";

const endedFields = {
  /** Runs that have succeeded. */
  succeeded: v.number(),
  /** Runs that have failed. */
  failed: v.number(),
  /** Runs that were canceled. */
  canceled: v.number(),
} as const;

const Hour = v.object({
  /** Start of the hour, ISO 8601. */
  from: v.string(),
  ...endedFields,
});

const FailingWorkflow = v.object({
  /** `work_…` */
  workflow_id: v.string(),
  /** Name of the workflow; null if it was deleted, or the key lacks `workflows:read`. */
  name: v.nullable(v.string()),
  /** Number of its runs of the last 24 hours that have failed. */
  failed: v.number(),
  /** The newest of them. */
  last_run: v.object({
    /** `run_…` */
    id: v.string(),
    /** Error code. */
    code: v.string(),
    /** What went wrong. */
    message: v.string(),
    /** Key of the step that failed; null if no step did. */
    step: v.nullable(v.string()),
    /** When the run was created, ISO 8601. */
    created_at: v.string(),
  }),
});

const UpcomingSchedule = v.object({
  /** `sched_…` */
  id: v.string(),
  /** Name for people. */
  name: v.nullable(v.string()),
  /** Workflow that it runs. */
  workflow_id: v.string(),
  /** When it runs next, ISO 8601. */
  next_at: v.string(),
});

export const Summary = v.object({
  /** When the summary was made, ISO 8601. */
  at: v.string(),
  /** Runs that have not ended, by status. */
  open: v.object({
    /** Runs that need a slot. */
    queued: v.number(),
    /** Runs that execute. */
    running: v.number(),
    /** Runs that wait. */
    waiting: v.number(),
  }),
  /** Number of runs that wait for input. */
  waiting_for_input: v.number(),
  /** Runs that were created in the last 24 hours and have ended, without tests of steps, by status: the sum of `hours`. */
  last_24_hours: v.object(endedFields),
  /** The same by hour of their creation (UTC): 24 hours, the earliest first, the last one not over. */
  hours: list(Hour),
  /**
   * The workflows with the most failed runs of the last 24 hours, without tests of steps, at most five. Only workflows of the 100 newest failed runs
   * are considered.
   */
  failing_workflows: list(FailingWorkflow),
  /** The five schedules that run next. Empty if the key lacks `schedules:read`. */
  next_schedules: list(UpcomingSchedule),
});
/** What an overview of an app shows. */
export interface Summary extends Readonly<v.InferOutput<typeof Summary>> {
  /** The same by hour of their creation (UTC): 24 hours, the earliest first, the last one not over. */
  readonly hours: readonly v.InferOutput<typeof Hour>[];
}
