/** The routes of schedules. */
import * as v from "valibot";
import { bothOf, checkRevision, partlyVersioned as versioned } from "../documents/expected-version.ts";
import { pageQuery, searchQuery, tokenQuery } from "../documents/pagination.ts";
import { created, nothing, one, pageOf, route, withVersion } from "../http/route.ts";
import { strictObject } from "../schema.ts";
import { Schedule, ScheduleCreate, ScheduleRemoval, ScheduleUpdate } from "./schedule.ts";
import type { Schedules } from "./schedules.ts";

export interface Slices {
  readonly schedules: Schedules;
}

const ListQuery = strictObject({
  ...pageQuery,
  ...tokenQuery,
  ...searchQuery,
  workflow_id: v.exactOptional(v.string()),
});
const SCHEDULE = "/apps/{app_id}/schedules/{schedule_id}";
const read = { access: "app", scope: "schedules:read" } as const;
const write = { access: "app", scope: "schedules:write" } as const;

export const scheduleRoutes = {
  create: route({
    method: "POST",
    path: "/apps/{app_id}/schedules",
    ...write,
    summary:
      "Schedule runs of a workflow: once (`at`), at an interval (`every`) or by a cron expression (`cron`). Repeating the request with the same `key` and settings returns the current schedule; other settings return 409.",
    body: ScheduleCreate,
    answers: withVersion(created(Schedule), versioned),
    run: ({ schedules }: Slices, { params, body, receipt }) => schedules.create(params.app_id, body, receipt),
  }),
  list: route({
    method: "GET",
    path: "/apps/{app_id}/schedules",
    ...read,
    summary: "List the schedules of an app, newest first, with their upcoming run times.",
    query: ListQuery,
    answers: pageOf(Schedule),
    run: ({ schedules }: Slices, { params, query }) => schedules.list(params.app_id, query),
  }),
  get: route({
    method: "GET",
    path: SCHEDULE,
    ...read,
    summary: "Get a schedule with its upcoming run times and its last result.",
    answers: withVersion(one(Schedule), versioned),
    isVersioned: true,
    async run({ schedules }: Slices, { params, versions }) {
      const schedule = await schedules.get(params.app_id, params.schedule_id);
      checkRevision("schedule", schedule, versions);
      return schedule;
    },
  }),
  update: route({
    method: "PATCH",
    path: SCHEDULE,
    ...write,
    summary: "Update, pause or resume a schedule.",
    body: ScheduleUpdate,
    answers: withVersion(one(Schedule), versioned),
    isVersioned: true,
    run: ({ schedules }: Slices, { params, body, versions }) =>
      schedules.update(params.app_id, params.schedule_id, body, versions),
  }),
  remove: route({
    method: "DELETE",
    path: SCHEDULE,
    ...write,
    summary: "Delete a schedule. Runs that it started continue.",
    query: ScheduleRemoval,
    answers: nothing(),
    isVersioned: true,
    run: ({ schedules }: Slices, { params, query, versions }) =>
      schedules.remove(params.app_id, params.schedule_id, bothOf(query.expected_revision, versions)),
  }),
};
