/** A small route table with routes of every kind, with real apps and keys, for tests of the HTTP layer. */
import { Buffer } from "node:buffer";
import * as v from "valibot";
import { nodeHash } from "../../../adapters/crypto/node-hash.ts";
import memoryDriver from "../../../adapters/storage/memory.ts";
import { type Apps, createApps } from "../../../src/apps/apps.ts";
import { createKeys, type Keys } from "../../../src/apps/keys.ts";
import { appRoutes, keyRoutes } from "../../../src/apps/routes.ts";
import type { ApiKeyScope } from "../../../src/calls/caller.ts";
import { listPage } from "../../../src/documents/documents.ts";
import { multipleValues, pageQuery, tokenQuery } from "../../../src/documents/pagination.ts";
import { notFound } from "../../../src/errors.ts";
import { createHandler, type HandlerParts } from "../../../src/http/handler.ts";
import { created, nothing, one, pageOf, rawRoute, route } from "../../../src/http/route.ts";
import { createIds } from "../../../src/ids.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Store } from "../../../src/ports/store.ts";
import { createDriverStore } from "../../../src/storage/store.ts";
import { systemClock } from "../../../src/time/system-clock.ts";

export const BASE = "https://stepwell.test/automation";
export const ADMIN_KEY = "admin-key-of-the-tests";
export const LIMIT = 4_096;

const Thing = v.object({ id: v.string(), name: v.string(), size: v.optional(v.number()) });
type Thing = v.InferOutput<typeof Thing>;
const ThingInput = v.strictObject({
  name: v.string(),
  size: v.exactOptional(v.number()),
  data: v.exactOptional(v.unknown()),
});
const path = "/apps/{app_id}/things";

function thingRoutes(store: Store, ids: ReturnType<typeof createIds>) {
  const listOf = (appId: string) => `things.${appId}`;
  const find = async (id: string): Promise<Thing> => {
    const found = await store.get<Thing>(`thing:${id}`);
    if (found === null) throw notFound("thing", id);
    return found.document;
  };
  return [
    route({
      method: "POST",
      path,
      access: "app",
      scope: "collections:write",
      summary: "",
      body: ThingInput,
      answers: created(Thing),
      async run(_, { params, body, receipt }) {
        const thing = { id: ids.next("thing"), ...body };
        const rows = [{ list: listOf(params.app_id), put: { id: thing.id } }];
        await store.commit([{ key: `thing:${thing.id}`, document: thing, rows }, ...receipt(thing)]);
        return thing;
      },
    }),
    route({
      method: "GET",
      path,
      access: "public",
      scope: "collections:read",
      summary: "",
      query: v.strictObject({ ...pageQuery, ...tokenQuery, tags: v.exactOptional(multipleValues(v.string(), 20)) }),
      answers: pageOf(Thing),
      run: (_, { params, query }) =>
        listPage<Thing, Thing>(
          store,
          listOf(params.app_id),
          query,
          (id) => `thing:${id}`,
          (thing) => thing,
        ),
    }),
    route({
      method: "GET",
      path: `${path}/{thing_id}`,
      access: "public",
      scope: "collections:read",
      summary: "",
      answers: one(Thing),
      run: (_, { params }) => find(params.thing_id),
    }),
    route({
      method: "DELETE",
      path: `${path}/{thing_id}`,
      access: "app",
      summary: "",
      answers: nothing(),
      run: async (_, { params }) => {
        await find(params.thing_id);
      },
    }),
    route({
      method: "GET",
      path: "/apps/{app_id}/tags",
      access: "public",
      summary: "Shows what the query became.",
      query: v.strictObject({
        tags: v.optional(multipleValues(v.string(), 20), []),
        flat: v.exactOptional(v.string()),
      }),
      answers: one(v.unknown()),
      run: async (_, { query }) => query,
    }),
    route({
      method: "PUT",
      path: "/apps/{app_id}/echo/{word}",
      access: "app",
      summary: "Shows what the call was.",
      body: v.unknown(),
      answers: one(v.unknown()),
      run: async (_, { params, body, caller, wait }) => ({ word: params.word, body, caller, wait }),
    }),
    route({
      method: "GET",
      path: "/apps/{app_id}/broken",
      access: "public",
      summary: "Fails as a bug would.",
      answers: one(v.unknown()),
      run: () => Promise.reject(new Error("the secret is 42")),
    }),
    rawRoute({
      method: "POST",
      path: "/public/count",
      access: "open",
      summary: "Counts the bytes it is sent; refuses after so many as `stop` says.",
      described: { request: { body: { "*/*": null } }, answers: { 200: {}, 413: {} } },
      async respond(_, request, { query }) {
        const stop = Number(Object(query).stop ?? Number.POSITIVE_INFINITY);
        let size = 0;
        for await (const bytes of request.body ?? []) {
          size += bytes.byteLength;
          if (size > stop) return Response.json({ size }, { status: 413 });
        }
        return Response.json({ size });
      },
    }),
    rawRoute({
      method: "GET",
      path: "/public/bytes/{size}",
      access: "open",
      summary: "So many bytes, made as they are asked for.",
      described: { request: {}, answers: { 200: { headers: ["ETag"], body: { "*/*": null } } } },
      respond: async (_, __, { params }) => new Response(bytes(Number(params.size)), { headers: { etag: '"1"' } }),
    }),
  ];
}

/** The number of bytes that all `bytes` streams produced, and of canceled streams. */
export const made = { bytes: 0, cancelled: 0 };

function bytes(size: number): ReadableStream<Uint8Array> {
  let left = size;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = Buffer.alloc(Math.min(left, 65_536), 97);
        left -= chunk.byteLength;
        made.bytes += chunk.byteLength;
        if (chunk.byteLength > 0) controller.enqueue(new Uint8Array(chunk));
        if (left === 0) controller.close();
      },
      cancel() {
        made.cancelled++;
      },
    },
    { highWaterMark: 0 },
  );
}

export interface Table {
  fetch(request: Request, host?: object): Promise<Response>;
  /** Calls with the key of `app` by default. */
  call(path: string, init?: RequestInit & { key?: string | null }): Promise<Response>;
  readonly app: { readonly id: string; readonly key: string };
  key(appId: string, scopes?: ApiKeyScope[]): Promise<string>;
  another(): Promise<{ id: string; key: string }>;
  readonly store: Store;
  /** What was logged. */
  readonly logged: unknown[];
}

export async function createTable(
  given: Partial<HandlerParts<{ apps: Apps; keys: Keys }>> & { store?: Store; clock?: Clock; app?: Table["app"] } = {},
): Promise<Table> {
  const { clock = systemClock, app: known, ...rest } = given;
  const hash = nodeHash;
  const logged: unknown[] = [];
  const log = (message: string, fields?: object) => logged.push({ message, ...fields });
  const logger = { debug: log, info: log, warn: log, error: log };
  const ids = createIds(clock);
  const store = rest.store ?? createDriverStore({ driver: memoryDriver(), clock, ids, logger, hash });
  const apps = createApps({ store, clock, ids });
  const keys = createKeys({ store, clock, ids, hash });
  const fetch = createHandler({
    routes: [...Object.values(appRoutes), ...Object.values(keyRoutes), ...thingRoutes(store, ids)],
    slices: { apps, keys },
    baseUrl: BASE,
    adminKey: ADMIN_KEY,
    cors: undefined,
    bodyBytes: LIMIT,
    bodyIdleMs: 60_000,
    clock,
    ids,
    hash,
    logger,
    ...rest,
    store,
  });
  const key = async (appId: string, scopes?: ApiKeyScope[]) =>
    (await keys.create(appId, { name: "tests", ...(scopes === undefined ? {} : { scopes }) }, () => [])).key;
  const another = async () => {
    const { id } = await apps.create({ name: "Tests" }, () => []);
    return { id, key: await key(id) };
  };
  const app = known ?? (await another());
  return {
    fetch,
    app,
    key,
    another,
    store,
    logged,
    call(path, { key: token = app.key, ...init } = {}) {
      const headers = new Headers(init.headers);
      if (token !== null) headers.append("authorization", `Bearer ${token}`);
      return fetch(new Request(`${BASE}${path}`, { ...init, headers }));
    },
  };
}

/** A POST or PUT of JSON. */
export function json(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

/** Reads and checks a problem document. */
export async function problemOf(
  response: Response,
): Promise<{ code: string; detail: string; errors?: { pointer: string; in?: string }[] }> {
  const problem = JSON.parse(await response.text());
  if (response.headers.get("content-type") !== "application/problem+json") throw new Error("no problem+json");
  if (problem.status !== response.status) throw new Error("status differs");
  if (problem.request_id !== response.headers.get("x-request-id")) throw new Error("request_id differs");
  for (const member of ["type", "title", "code"])
    if (typeof problem[member] !== "string") throw new Error(`no ${member}`);
  return problem;
}
