/** The routes of app events. */
import * as v from "valibot";
import { pageQuery, tokenQuery } from "../documents/pagination.ts";
import { created, one, pageOf, route } from "../http/route.ts";
import { strictObject } from "../schema.ts";
import { AppEvent, EventEmit } from "./app-event.ts";
import type { AppEvents } from "./app-events.ts";

export interface Slices {
  readonly appEvents: AppEvents;
}

const ListQuery = strictObject({ ...pageQuery, ...tokenQuery, name: v.exactOptional(v.string()) });

export const eventRoutes = {
  emit: route({
    method: "POST",
    path: "/apps/{app_id}/events",
    access: "app",
    scope: "events:write",
    summary:
      "Emit an event. It resumes every run that waits for it and starts every workflow that it triggers. Repeating the request with the same `key` and content returns the stored event; other content returns 409.",
    body: EventEmit,
    answers: created(AppEvent),
    run: ({ appEvents }: Slices, { params, body, caller, receipt }) =>
      appEvents.emit(params.app_id, body, caller, receipt),
  }),
  list: route({
    method: "GET",
    path: "/apps/{app_id}/events",
    access: "app",
    scope: "events:read",
    summary: "List the events of the last seven days, newest first.",
    query: ListQuery,
    answers: pageOf(AppEvent),
    run: ({ appEvents }: Slices, { params, query }) => appEvents.list(params.app_id, query),
  }),
  get: route({
    method: "GET",
    path: "/apps/{app_id}/events/{event_id}",
    access: "app",
    scope: "events:read",
    summary: "Get an event of the last seven days, with the runs that it started.",
    answers: one(AppEvent),
    run: ({ appEvents }: Slices, { params }) => appEvents.get(params.app_id, params.event_id),
  }),
};
