/** The routes of connections. */
import * as v from "valibot";
import { pageQuery, searchQuery } from "../documents/pagination.ts";
import { created, nothing, one, pageOf, route } from "../http/route.ts";
import { strictObject } from "../schema.ts";
import { Connection, ConnectionCreate, ConnectionUpdate } from "./connection.ts";
import type { Connections } from "./connections.ts";

export interface Slices {
  readonly connections: Omit<Connections, "open" | "deleteAll">;
}

const ListQuery = strictObject({ ...pageQuery, ...searchQuery, service: v.exactOptional(v.string()) });
const CONNECTION = "/apps/{app_id}/connections/{connection_id}";
const read = { access: "app", scope: "connections:read" } as const;
const write = { access: "app", scope: "connections:write" } as const;

export const connectionRoutes = {
  create: route({
    method: "POST",
    path: "/apps/{app_id}/connections",
    ...write,
    summary: "Store credentials for a service. They are encrypted and never returned.",
    body: ConnectionCreate,
    answers: created(Connection),
    run: ({ connections }: Slices, { params, body, receipt }) => connections.create(params.app_id, body, receipt),
  }),
  list: route({
    method: "GET",
    path: "/apps/{app_id}/connections",
    ...read,
    summary: "List the connections of an app, newest first, without their credentials.",
    query: ListQuery,
    answers: pageOf(Connection),
    run: ({ connections }: Slices, { params, query }) => connections.list(params.app_id, query),
  }),
  get: route({
    method: "GET",
    path: CONNECTION,
    ...read,
    summary: "Get a connection, without its credentials.",
    answers: one(Connection),
    run: ({ connections }: Slices, { params }) => connections.get(params.app_id, params.connection_id),
  }),
  update: route({
    method: "PATCH",
    path: CONNECTION,
    ...write,
    summary: "Rename a connection, or replace its credentials.",
    body: ConnectionUpdate,
    answers: one(Connection),
    run: ({ connections }: Slices, { params, body }) => connections.update(params.app_id, params.connection_id, body),
  }),
  remove: route({
    method: "DELETE",
    path: CONNECTION,
    ...write,
    summary: "Delete a connection. Steps that use it fail from now on.",
    answers: nothing(),
    run: ({ connections }: Slices, { params }) => connections.remove(params.app_id, params.connection_id),
  }),
};
