/** The routes of connections. */
import * as v from "valibot";
import type { Caller } from "../calls/caller.ts";
import { checkRevision, versioned } from "../documents/expected-version.ts";
import { pageQuery, searchQuery, tokenQuery } from "../documents/pagination.ts";
import { type Removal, removalOf } from "../documents/removal.ts";
import { created, nothing, one, pageOf, route, withVersion } from "../http/route.ts";
import { strictObject } from "../schema.ts";
import { Connection, ConnectionCreate, ConnectionRemoval, ConnectionUpdate } from "./connection.ts";
import type { Connections } from "./connections.ts";

export interface Slices {
  readonly removals: {
    remove(
      used: { readonly app_id: string; readonly id: string; readonly kind: "connection" },
      removal: Removal,
      caller: Caller,
    ): Promise<void>;
  };
  readonly connections: Omit<Connections, "open" | "deleteAll" | "remove">;
}

const ListQuery = strictObject({ ...pageQuery, ...tokenQuery, ...searchQuery, service: v.exactOptional(v.string()) });
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
    answers: withVersion(created(Connection), versioned),
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
    answers: withVersion(one(Connection), versioned),
    isVersioned: true,
    async run({ connections }: Slices, { params, versions }) {
      const connection = await connections.get(params.app_id, params.connection_id);
      checkRevision("connection", connection, versions);
      return connection;
    },
  }),
  update: route({
    method: "PATCH",
    path: CONNECTION,
    ...write,
    summary: "Rename a connection, or replace its credentials.",
    body: ConnectionUpdate,
    answers: withVersion(one(Connection), versioned),
    isVersioned: true,
    run: ({ connections }: Slices, { params, body, versions }) =>
      connections.update(params.app_id, params.connection_id, body, versions),
  }),
  remove: route({
    method: "DELETE",
    path: CONNECTION,
    ...write,
    summary: "Delete a connection. Steps that use it fail from now on.",
    query: ConnectionRemoval,
    answers: nothing(),
    isVersioned: true,
    run: ({ removals }: Slices, { params, query, versions, caller }) =>
      removals.remove(
        { app_id: params.app_id, id: params.connection_id, kind: "connection" },
        removalOf(query, versions),
        caller,
      ),
  }),
};
