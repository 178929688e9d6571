/** Prepares the schedules of an import: checks them like new ones, and computes when they run next. */
import { lookUp } from "../documents/look-up.ts";
import type { FieldError } from "../errors.ts";
import { errorsOfEach } from "../messages/field-errors.ts";
import type { Change } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import type { Version } from "../workflows/version.ts";
import { createCheckScheduleInput } from "./check-input.ts";
import { checkRecurrence, createNextMoment } from "./recurrence.ts";
import type { CheckedScheduleCreate, ScheduleDocument } from "./schedule.ts";
import { newSchedule } from "./schedule-settings.ts";
import { putSchedule } from "./schedules.ts";

export interface PreparedSchedules {
  /** With pointers into the list. */
  readonly errors: readonly FieldError[];
  readonly changes: readonly Change[];
  /** When the schedules run next. A wake-up is to be set for each time once they are stored. */
  readonly moments: readonly string[];
}

/**
 * Unlike a new schedule, one whose only time has passed is accepted: it has no further runs.
 * @param given With the ids that they get.
 */
export async function prepareSchedules(
  appId: string,
  given: readonly (CheckedScheduleCreate & { readonly id: string })[],
  lookups: {
    /** @throws StepwellError `not_found` */
    getWorkflow(appId: string, workflowId: string): Promise<unknown>;
    /** @throws StepwellError `not_found` */
    getVersion(appId: string, workflowId: string, version: string): Promise<Version>;
  },
  now: number,
): Promise<PreparedSchedules> {
  const checkInput = createCheckScheduleInput(lookups);
  const documents = given.map(({ id, ...settings }) => newSchedule(appId, id, settings, instant(now)));

  async function errorsOf(schedule: ScheduleDocument): Promise<readonly FieldError[]> {
    const errors = await checkRecurrence(schedule, now);
    const workflow = await lookUp(lookups.getWorkflow(appId, schedule.workflow_id));
    if (!workflow.ok) return [...errors, { pointer: "/workflow_id", message: workflow.message }];
    return schedule.paused ? errors : [...errors, ...(await checkInput(schedule))];
  }

  const errors = await errorsOfEach(documents, async (schedule, index) =>
    (await errorsOf(schedule)).map((error) => ({ ...error, pointer: `/${index}${error.pointer}` })),
  );
  if (errors.length > 0) return { errors, changes: [], moments: [] };
  const timed = await Promise.all(documents.map((schedule) => withNextRun(schedule, now)));
  return {
    errors,
    changes: timed.map((schedule) => putSchedule(schedule, undefined, null)),
    moments: timed.flatMap(({ next_at }) => next_at ?? []),
  };
}

async function withNextRun(schedule: ScheduleDocument, now: number): Promise<ScheduleDocument> {
  const next = schedule.paused ? null : (await createNextMoment(schedule))(now);
  return { ...schedule, next_at: next === null ? null : instant(next) };
}
