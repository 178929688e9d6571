import { pageQuery, tokenQuery } from "../documents/pagination.ts";
import { created, createdSecret, nothing, one, pageOf, route } from "../http/route.ts";
import { strictObject } from "../schema.ts";
import { App, AppCreate, AppUpdate } from "./app.ts";
import type { Apps } from "./apps.ts";
import { IssuedKey, Key, KeyCreate } from "./key.ts";
import type { Keys } from "./keys.ts";
import { type GetMe, Me } from "./me.ts";

export interface Slices {
  readonly apps: Apps;
  readonly keys: Keys;
}

export interface MeSlices {
  readonly getMe: GetMe;
}

const ListQuery = strictObject({ ...pageQuery, ...tokenQuery });

export const appRoutes = {
  create: route({
    method: "POST",
    path: "/apps",
    access: "admin",
    summary: "Create an app.",
    body: AppCreate,
    answers: created(App),
    run: ({ apps }: Slices, { body, receipt }) => apps.create(body, receipt),
  }),
  list: route({
    method: "GET",
    path: "/apps",
    access: "admin",
    summary: "List apps, newest first.",
    query: ListQuery,
    answers: pageOf(App),
    run: ({ apps }: Slices, { query }) => apps.list(query),
  }),
  get: route({
    method: "GET",
    path: "/apps/{app_id}",
    access: "admin",
    summary: "Get an app.",
    answers: one(App),
    run: ({ apps }: Slices, { params }) => apps.get(params.app_id),
  }),
  update: route({
    method: "PATCH",
    path: "/apps/{app_id}",
    access: "admin",
    summary: "Rename an app, or mark it as verified.",
    body: AppUpdate,
    answers: one(App),
    run: ({ apps }: Slices, { params, body }) => apps.update(params.app_id, body),
  }),
  remove: route({
    method: "DELETE",
    path: "/apps/{app_id}",
    access: "admin",
    summary:
      "Delete an app. Its keys stop working and its runs stop immediately; its data is deleted in the background.",
    answers: nothing(),
    run: ({ apps }: Slices, { params }) => apps.remove(params.app_id),
  }),
};

export const keyRoutes = {
  create: route({
    method: "POST",
    path: "/apps/{app_id}/keys",
    access: "admin",
    summary: "Create an API key. Only this response contains the key itself.",
    body: KeyCreate,
    answers: createdSecret(IssuedKey),
    run: ({ keys }: Slices, { params, body, receipt }) => keys.create(params.app_id, body, receipt),
  }),
  list: route({
    method: "GET",
    path: "/apps/{app_id}/keys",
    access: "admin",
    summary: "List the API keys of an app, newest first, without the keys themselves.",
    query: ListQuery,
    answers: pageOf(Key),
    run: ({ keys }: Slices, { params, query }) => keys.list(params.app_id, query),
  }),
  remove: route({
    method: "DELETE",
    path: "/apps/{app_id}/keys/{key_id}",
    access: "admin",
    summary: "Revoke an API key. It stops working immediately.",
    answers: nothing(),
    run: ({ keys }: Slices, { params }) => keys.remove(params.app_id, params.key_id),
  }),
};

export const meRoutes = {
  get: route({
    method: "GET",
    path: "/me",
    access: "app",
    summary: "Get the app and the key of the request or its session, and what the host has configured.",
    answers: one(Me),
    run: ({ getMe }: MeSlices, { caller }) => getMe(caller),
  }),
};
