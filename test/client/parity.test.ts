/** Every function of the client returns over HTTP what the function of the same name returns in process. */
import * as v from "valibot";
import { afterAll, beforeAll, expect, it } from "vitest";
import { routes } from "../../src/api/route-table.ts";
import { defineService } from "../../src/index.ts";
import { callEveryFunction } from "../support/client/every-function.ts";
import { type Mounted, openMounted } from "../support/client/mounted.ts";
import { comparable, type Entry, recorded } from "../support/client/transcript.ts";
import { operationName } from "../support/http/operation-names.ts";

/** Routes for people and other systems, which have no key: their URL is the credential. */
const NOT_FOR_CLIENTS = new Set([
  "forms",
  // Agents have clients of the protocol.
  "mcp",
  // Of the page, by its cookie.
  "console",
  "hookRequests",
  "triggerEvents",
  // Of the same name as functions of upload URLs, which tests of uploads call.
  "uploads.append",
  "uploads.terminate",
  "uploads.show",
  // A link is downloaded like any URL.
  "files.followLink",
  "runRequests.follow",
  // For browsers that save it as a file. `runs.getStep` returns the same.
  "runs.output",
  "health.live",
  "health.show",
  "openapi.get",
]);

const services = [
  defineService({
    name: "shop",
    connection: v.object({ password: v.string() }),
    actions: { charge: { input: v.object({}), output: v.null(), run: () => null } },
  }),
];

let host: Mounted;
let remote: Mounted;
const inProcess: Entry[] = [];
const overHttp: Entry[] = [];

beforeAll(async () => {
  host = await openMounted({ services });
  remote = await openMounted({ services });
  const { stepwell } = host;
  const functions = recorded(stepwell, inProcess);
  await callEveryFunction(functions, functions, stepwell, host.app);
  const { me, with: _, ...client } = remote.client();
  const { me: _me, with: _with, ...admin } = remote.admin;
  await callEveryFunction(recorded(client, overHttp), recorded(admin, overHttp), remote.stepwell, remote.app);
  overHttp.push({ name: "me", result: await me() });
});
afterAll(async () => {
  await host.close();
  await remote.close();
});

it("calls every route through the client", () => {
  const called = new Set(overHttp.map(({ name }) => name));
  const missing = Object.entries(routes)
    .flatMap(([group, rows]) => Object.keys(rows).map((name) => ({ group, route: `${group}.${name}` })))
    .filter(({ group, route }) => !NOT_FOR_CLIENTS.has(group) && !NOT_FOR_CLIENTS.has(route))
    .filter(({ route }) => !called.has(route === "me.get" ? "me" : operationName(route)))
    .map(({ route }) => route);
  expect(missing).toEqual([]);
});

it("has every function of the client", () => {
  const called = new Set(overHttp.map(({ name }) => name));
  const functions = Object.entries(remote.client()).flatMap(([group, all]) =>
    typeof all === "function" ? [group] : Object.keys(all).map((name) => `${group}.${name}`),
  );
  expect(functions.filter((name) => name !== "with" && !called.has(name))).toEqual([]);
});

it("returns over HTTP what the functions return in process", () => {
  expect(comparable(overHttp.filter(({ name }) => name !== "me"))).toEqual(comparable(inProcess));
});

it("returns the app and the key of the client", () => {
  const found = overHttp.find(({ name }) => name === "me");
  expect(found?.result).toMatchObject({ app: { id: remote.app }, configured: { secret: true } });
});
