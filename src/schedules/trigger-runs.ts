/**
 * Starts the runs of schedules. A run and the next due time of its schedule are stored in one commit, so that no run is
 * started twice or lost, wherever a process ends.
 */

import { isStepwellError } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Store } from "../ports/store.ts";
import { isRefused, type PrepareRun } from "../runs/prepare-run.ts";
import type { Run } from "../runs/run.ts";
import type { Executor } from "../runs/run-executor.ts";
import { type Alarms, createDurableTimers, type DurableTimers } from "../time/durable-timers.ts";
import { instant } from "../time/iso.ts";
import { decideFiring, type FiringDecision } from "./catch-up-policy.ts";
import { createNextMoment } from "./recurrence.ts";
import type { LastFiring, ScheduleDocument } from "./schedule.ts";
import { DUE_LIST, putSchedule, scheduleKey } from "./schedules.ts";

export function createScheduleTimers(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  prepare: PrepareRun;
  /** Wakes any of the processes that share the store. */
  cluster: { readonly alarms: Alarms } | undefined;
  executor: Pick<Executor, "start">;
}): DurableTimers {
  const { store, clock, logger, prepare, executor } = parts;
  const find = (scheduleId: string) => store.get<ScheduleDocument>(scheduleKey(scheduleId));

  /** Starts the runs of all due times, one after the other. */
  async function onDue(scheduleId: string, isStopped: () => boolean): Promise<void> {
    let now = clock.now();
    while (!isStopped()) {
      const found = await find(scheduleId);
      const due = found?.document.next_at ?? null;
      if (found === null || due === null) return;
      // Only now: until their turn has come, times that were late at the beginning are not missed.
      if (Date.parse(due) > now) now = clock.now();
      if (Date.parse(due) > now) return timers.set(due);
      const { document, version } = found;
      const next = await createNextMoment(document);
      try {
        await fire(document, version, decideFiring(Date.parse(due), now, document.missed, next));
      } catch (error) {
        // The schedule was changed concurrently: read it again.
        if (!isStepwellError(error, "conflict") || error.key !== scheduleKey(scheduleId)) throw error;
      }
    }
  }

  async function fire(document: ScheduleDocument, version: number, { run, next }: FiringDecision): Promise<void> {
    const after = (last: LastFiring | null) =>
      putSchedule({ ...document, last, next_at: next === null ? null : instant(next) }, version, document);
    if (run === null) return store.commit([after(document.last)]);
    const at = instant(run);
    try {
      const { app_id, workflow_id, input, step_key } = document;
      const create = omitUndefined({ input, version: document.version, step_key: step_key ?? undefined });
      const prepared = await prepare(app_id, workflow_id, create, { type: "schedule", id: document.id });
      // The settings of the workflow may give the input to a run that exists already.
      await executor.start(prepared, (run) => [after({ at, run_id: (run as Run).id, error: null })]);
    } catch (error) {
      if (!isRefused(error)) throw error;
      const { code, message } = error;
      logger.warn("could not start a scheduled run", { schedule: document.id, at, error });
      await store.commit([after({ at, run_id: null, error: { code, message } })]);
    }
  }

  const timers = createDurableTimers({
    ...{ store, clock, logger, alarms: parts.cluster?.alarms, onDue },
    list: DUE_LIST,
    dueOf: async (scheduleId) => (await find(scheduleId))?.document.next_at ?? null,
  });
  return timers;
}
