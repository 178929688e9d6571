/** The built-in service `scheduler`: steps delay a run, and schedule other runs. */
import * as v from "valibot";
import { isStepwellError } from "../../errors.ts";
import { omitUndefined } from "../../json.ts";
import { CATCH_UP_POLICIES, type Schedule, ScheduleCreate } from "../../schedules/schedule.ts";
import { check, instantText, jsonObject, list, strictObject } from "../../schema.ts";
import { DAY_SECONDS } from "../../time/units.ts";
import { defineService } from "../define-service.ts";
import type { DelayAction } from "../service.ts";

const ScheduleView = v.object({
  id: v.string(),
  workflow_id: v.string(),
  name: v.nullable(v.string()),
  next_at: v.nullable(v.string()),
  upcoming: list(v.string()),
});

/** A leap year. Use a schedule for later times. */
const MAX_DELAY_SECONDS = 366 * DAY_SECONDS;

const Delay = v.pipe(
  strictObject(
    {
      seconds: v.optional(
        v.pipe(
          v.number(),
          v.minValue(0, "Must be at least 0."),
          v.maxValue(MAX_DELAY_SECONDS, `Must be at most ${MAX_DELAY_SECONDS} (366 days).`),
        ),
      ),
      until: v.optional(instantText),
    },
    "Use seconds or until.",
  ),
  v.check(
    ({ seconds, until }) => (seconds === undefined) !== (until === undefined),
    "Set exactly one of seconds and until.",
  ),
);

const delay = {
  title: "Delay",
  description:
    "Suspends the run for a number of seconds (at most 366 days) or until a time (ISO 8601). A time in the past resumes it immediately.",
  input: Delay,
  output: v.object({ until: v.string() }),
  until: ({ seconds = 0, until }: v.InferOutput<typeof Delay>, ready: number) =>
    until === undefined ? ready + seconds * 1_000 : Date.parse(until),
} satisfies DelayAction;

const schedules = defineService({
  name: "scheduler",
  title: "Scheduler",
  actions: {
    create: {
      title: "Schedule a workflow",
      description: "Runs a workflow once (at), at an interval in seconds (every) or on a cron schedule (cron).",
      input: v.strictObject({
        workflow_id: v.string(),
        name: v.optional(v.string()),
        version: v.optional(v.union([v.string(), v.number()])),
        step_key: v.optional(v.string()),
        input: v.optional(jsonObject),
        at: v.optional(v.string()),
        every: v.optional(v.number()),
        cron: v.optional(v.string()),
        timezone: v.optional(v.string()),
        missed: v.optional(v.picklist(CATCH_UP_POLICIES)),
      }),
      output: ScheduleView,
      async run(given, { stepwell, app_id, idempotencyKey }) {
        const input = check(ScheduleCreate, { ...given, key: idempotencyKey });
        return toView(await stepwell.schedules.create(app_id, input));
      },
    },
    list: {
      title: "List schedules",
      description: "Returns the schedules of the app.",
      input: v.strictObject({ workflow_id: v.optional(v.string()) }),
      output: v.object({ schedules: list(ScheduleView) }),
      async run({ workflow_id }, { stepwell, app_id }) {
        const { items } = await stepwell.schedules.list(app_id, omitUndefined({ workflow_id }));
        return { schedules: items.map(toView) };
      },
    },
    cancel: {
      title: "Cancel a schedule",
      description: "Deletes a schedule, so that it starts no more runs.",
      input: v.strictObject({ schedule_id: v.string() }),
      output: v.object({ canceled: v.boolean() }),
      async run({ schedule_id }, { stepwell, app_id }) {
        try {
          await stepwell.schedules.remove(app_id, schedule_id);
          return { canceled: true };
        } catch (error) {
          if (isStepwellError(error, "not_found")) return { canceled: false }; // perhaps an earlier attempt canceled it
          throw error;
        }
      },
    },
  },
});

export const scheduler = { ...schedules, actions: { ...schedules.actions, delay } };

function toView({ id, workflow_id, name, next_at, upcoming }: Schedule): v.InferOutput<typeof ScheduleView> {
  return { id, workflow_id, name, next_at, upcoming };
}
