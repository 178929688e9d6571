/**
 * Nothing of one app is reachable from another. The route table decides which requests are sent, and `fillApp` which ids they
 * have: a new route is covered when fillApp calls it.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allRoutes } from "../../src/api/route-table.ts";
import { SCOPES } from "../../src/calls/caller.ts";
import type { AnyRoute } from "../../src/http/route.ts";
import { namesIn } from "../support/http/recorded-calls.ts";
import { ADMIN_KEY } from "../support/http/transports.ts";
import {
  type Answer,
  filled,
  missingLike,
  observed,
  openTwoApps,
  type TwoApps,
  targetOf,
} from "../support/http/two-apps.ts";

let apps: TwoApps;
beforeAll(async () => {
  apps = await openTwoApps();
});
afterAll(() => apps.close());

const titled = (routes: readonly AnyRoute[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const keyed = allRoutes.filter(({ access }) => access !== "open");
const ofApps = keyed.filter(({ access }) => access !== "admin");
/** Any key may ask whose it is. */
const OWN_KEY = "/me";
const scoped = ofApps.filter(({ path }) => path !== OWN_KEY);
const hasApp = ({ path }: AnyRoute) => namesIn(path).includes("app_id");
const hasIds = ({ path }: AnyRoute) => namesIn(path).some((name) => name !== "app_id");

/** Asserts that nothing is stored while `act` runs. */
async function storingNothing(act: () => Promise<void>): Promise<void> {
  const writes = apps.writes();
  await act();
  expect(apps.writes()).toBe(writes);
}

const codeOf = (text: string) => JSON.parse(text).code;

describe("a route that needs a key", () => {
  it.each(titled(keyed))("answers 401 without a valid one and stores nothing: %s", async (_, route) => {
    const { own, body } = targetOf(route, apps);
    const path = filled(route.path, own);
    await storingNothing(async () => {
      for (const key of ["wrong", `${apps.mine.key}x`, apps.mine.key.toUpperCase()]) {
        const { status, text } = await apps.send(route.method, path, key, body);
        expect([status, codeOf(text)]).toEqual([401, "unauthorized"]);
      }
      const { status, text } = await apps.send(route.method, path, null, body);
      if (route.access !== "public") expect([status, codeOf(text)]).toEqual([401, "unauthorized"]);
      else if (hasIds(route)) expect([status, codeOf(text)]).toEqual([404, "not_found"]);
      else expect([status, text]).toEqual([200, "[]"]);
    });
  });

  it.each(titled(keyed))("refuses the key of another app, and admin keys those of apps: %s", async (_, route) => {
    const { own, body } = targetOf(route, apps);
    const path = filled(route.path, own);
    await storingNothing(async () => {
      const mismatched = await apps.send(
        route.method,
        path,
        route.access === "admin" ? apps.mine.key : ADMIN_KEY,
        body,
      );
      expect([mismatched.status, codeOf(mismatched.text)]).toEqual([403, "forbidden"]);
      if (route.access !== "admin" && hasApp(route)) await expectHidden(route, apps.mine.id);
    });
  });

  /** Asserts that a key of another app cannot tell the app from one that does not exist. */
  async function expectHidden(route: AnyRoute, app: string): Promise<void> {
    const { own, body } = targetOf(route, apps);
    const send = (app_id: string) =>
      apps.send(route.method, filled(route.path, { ...own, app_id }), apps.other.key, body);
    const refused = await send(app);
    expect([refused.status, codeOf(refused.text)]).toEqual([404, "not_found"]);
    const missing = missingLike(app);
    expect(observed(refused, app)).toEqual(observed(await send(missing), missing));
    // Its own app has none of these.
    if (namesIn(route.path).some((name) => name.includes("_id") && name !== "app_id")) {
      expect((await send("me")).status).toBe(404);
    }
  }
});

describe("an id of another app in a path", () => {
  const cases = keyed.flatMap((route) =>
    namesIn(route.path)
      .filter((name) => name !== "app_id")
      .map((name) => [name, `${route.method} ${route.path}`, route] as const),
  );

  it.each(cases)("{%s} is answered like an unknown one, and stores nothing: %s", async (name, _, route) => {
    const { own, foreign, body } = targetOf(route, apps);
    const id = foreign[name] ?? "";
    const key = route.access === "admin" ? ADMIN_KEY : apps.mine.key;
    const send = (value: string) => apps.send(route.method, filled(route.path, { ...own, [name]: value }), key, body);
    // Keys and paths that users choose may be equal in both apps.
    if (id === own[name]) expect(name).not.toMatch(/_id/);
    else await storingNothing(() => expectUnknown(send, id));
  });

  /** Asserts that the id is answered in the same way as one that nothing has. */
  async function expectUnknown(send: (id: string) => Promise<Answer>, id: string): Promise<void> {
    const missing = missingLike(id);
    const refused = await send(id);
    expect([refused.status, codeOf(refused.text)]).toEqual([404, "not_found"]);
    expect(observed(refused, id)).toEqual(observed(await send(missing), missing));
  }
});

/** Routes that also need the scopes of what a response contains: see test/definitions/transfer.test.ts and test/mcp. */
const WITH_OTHER_SCOPES = new Set(["GET /apps/{app_id}/export", "POST /apps/{app_id}/mcp"]);

describe("a key with a single scope", () => {
  it.each(SCOPES)("reaches exactly the routes that declare it: %s", async (scope) => {
    const { key } = await apps.stepwell.keys.create(apps.mine.id, { name: scope, scopes: [scope] });
    for (const route of scoped) {
      const { foreign, body } = targetOf(route, apps);
      const path = filled(route.path, { ...foreign, app_id: apps.mine.id });
      const writes = apps.writes();
      // Nothing is found where it is admitted. Without ids, the body is refused.
      const sent = hasIds(route) || route.method === "GET" ? body : { unknown: 1 };
      const { status, headers } = await apps.send(route.method, path, key, sent);
      const about = [`${route.method} ${route.path}`, status];
      if (route.scope === scope && WITH_OTHER_SCOPES.has(`${route.method} ${route.path}`)) {
        expect(about).toEqual([about[0], 403]);
      } else if (route.scope === scope) {
        expect([401, 403], about.join(" ")).not.toContain(status);
      } else {
        expect(about).toEqual([about[0], 403]);
        expect(headers.get("www-authenticate")).toContain(`scope="${route.scope}"`);
      }
      expect([about[0], apps.writes()]).toEqual([about[0], writes]);
    }
  });

  it("is possible for every route of an app", () => {
    expect(scoped.filter(({ scope }) => scope === undefined)).toEqual([]);
  });
});

/** Deleting the inner before the outer, and everything after what reads it. */
function inOrder(one: AnyRoute, other: AnyRoute): number {
  const isRemoval = ({ method }: AnyRoute) => (method === "DELETE" ? 1 : 0);
  return isRemoval(one) - isRemoval(other) || other.path.length - one.path.length;
}

/** The body of the only route that fillApp cannot call: it needs an app. */
const bodyOf = ({ method, path }: AnyRoute) =>
  method === "POST" && path === "/apps" ? { name: "Another" } : undefined;

it("each of these requests is accepted with the app's own key and ids", async () => {
  const refused: string[] = [];
  for (const route of keyed.toSorted(inOrder)) {
    const { own, body = bodyOf(route) } = targetOf(route, apps);
    const key = route.access === "admin" ? ADMIN_KEY : apps.mine.key;
    const { status, text } = await apps.send(route.method, filled(route.path, own), key, body);
    if (status >= 400 && status !== 409) refused.push(`${route.method} ${route.path}: ${status} ${text}`);
  }
  expect(refused).toEqual([]);
});
