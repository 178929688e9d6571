/**
 * Ids of another app in bodies and queries are answered like unknown ids. Schemas say which fields have ids: `fillApp` must send
 * each of them.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allRoutes } from "../../src/api/route-table.ts";
import { isRecord } from "../../src/json.ts";
import { anyItem, idFieldsOf, idsIn, replaceAt } from "../support/http/id-fields.ts";
import { namesIn, type RecordedCall } from "../support/http/recorded-calls.ts";
import {
  type Answer,
  filled,
  missingLike,
  observed,
  openTwoApps,
  type TwoApps,
  targetOf,
} from "../support/http/two-apps.ts";

/** Fields that are not checked when they are written, each with when they are. */
const ACCEPTED: Readonly<Record<string, RegExp>> = {
  // At deployment, and in the run.
  "POST /apps/{app_id}/workflows": /^\/(steps|settings)\//,
  "PUT /apps/{app_id}/workflows/{workflow_id}/draft": /^\/(steps|settings)\//,
  // In the run: an expression may compute it.
  "POST /apps/{app_id}/workflows/{workflow_id}/validate": /^\/steps\/\*\/provider\/messages\//,
  // In the run: files come and go.
  "POST /apps/{app_id}/schedules": /^\/input\//,
  "PATCH /apps/{app_id}/schedules/{schedule_id}": /^\/input\//,
  // In the report of the job.
  "POST /apps/{app_id}/runs/bulk": /^\/ids\//,
  "POST /apps/{app_id}/collections/{collection_id}/records/evaluate": /^\/ids\//,
};

/** Ids that name the resources of a document. The tests of test/definitions check what they may refer to. */
const LOCAL: Readonly<Record<string, RegExp>> = {
  "POST /apps/{app_id}/workflows/import": /^\/(workflows|collections|connections|tags|schedules|webhooks|root)(\/|$)/,
};

let apps: TwoApps;
beforeAll(async () => {
  apps = await openTwoApps();
});
afterAll(() => apps.close());

interface Case {
  readonly call: RecordedCall;
  readonly pointer: string;
  readonly foreign: string;
}

const nameOf = (call: RecordedCall) => `${call.method} ${call.route.path}`;

/** The last call of each route with each field that has an id. */
function casesOf({ mine, other }: TwoApps): ReadonlyMap<string, Case> {
  const found = new Map<string, Case>();
  for (const [index, call] of mine.calls.entries()) {
    if (!mine.isAlive(call.path) || call.route.access === "open") continue;
    const ids = idsIn(other.calls[index]?.body);
    for (const [pointer, own] of idsIn(call.body)) {
      if (LOCAL[nameOf(call)]?.test(pointer)) continue;
      const foreign = ids.get(pointer);
      if (foreign === undefined || foreign === own) throw new Error(`${nameOf(call)} differs between the apps`);
      found.set(`${nameOf(call)} ${anyItem(pointer)}`, { call, pointer, foreign });
    }
  }
  return found;
}

/** The pointers of the errors in an answer, also of the outcomes of a bulk call. */
function pointersIn(text: string): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isRecord(value)) {
      if (typeof value["pointer"] === "string") found.push(value["pointer"]);
      Object.values(value).forEach(visit);
    }
  };
  visit(JSON.parse(text));
  return found;
}

function expectRefused({ status, text }: Answer, pointer: string): void {
  const { valid, outcomes } = JSON.parse(text);
  if (status === 404 || outcomes?.[0]?.status === 404) return;
  const isRefused = status === 400 || status === 422 || valid === false || outcomes?.[0]?.status === 422;
  expect(isRefused, `${status} ${text}`).toBe(true);
  expect(
    pointersIn(text).some((found) => pointer === found || pointer.startsWith(`${found}/`)),
    text,
  ).toBe(true);
}

it("fillApp sends an id in every field that a schema names like one", () => {
  const sent = new Set(casesOf(apps).keys());
  const fields = allRoutes.flatMap((route) => {
    if (route.kind === "raw") return [];
    const name = `${route.method} ${route.path}`;
    const fields = idFieldsOf(route.body).filter((field) => LOCAL[name]?.test(field) !== true);
    return fields.map((field) => `${name} ${field}`);
  });
  // The tags of runs are plain texts, and their filter by version has a number.
  const texts = [
    "POST /apps/{app_id}/workflows/{workflow_id}/runs /tags",
    "POST /apps/{app_id}/runs/bulk /filter/tags",
    "POST /apps/{app_id}/runs/bulk /filter/version",
  ];
  const isText = (field: string) => texts.includes(field);
  expect(fields.length).toBeGreaterThan(30);
  const isSent = (field: string) => sent.has(field) || sent.has(`${field}/*`);
  expect(fields.filter((field) => !isSent(field) && !isText(field))).toEqual([]);
});

/** Sends a case with the id of the other app, and with one that nothing has. */
async function sendBoth({ call, pointer, foreign }: Case) {
  const missing = missingLike(foreign);
  const send = (id: string) => apps.send(call.method, call.path, apps.mine.key, replaceAt(call.body, pointer, id));
  const refused = await send(foreign);
  const unknown = await send(missing);
  return { refused, unknown, missing };
}

const isAccepted = ({ call, pointer }: Case) => ACCEPTED[nameOf(call)]?.test(anyItem(pointer)) === true;

describe("an id of another app in a body", () => {
  it("is answered like an unknown one, and stores nothing", async () => {
    for (const [title, one] of casesOf(apps)) {
      if (isAccepted(one)) continue;
      const writes = apps.writes();
      const { refused, unknown, missing } = await sendBoth(one);
      expectRefused(refused, one.pointer);
      expect([title, observed(refused, one.foreign)]).toEqual([title, observed(unknown, missing)]);
      expect([title, apps.writes()]).toEqual([title, writes]);
    }
  });

  it("is accepted like an unknown one where it is only checked later", async () => {
    const cases = [...casesOf(apps)].filter(([, one]) => isAccepted(one));
    for (const [title, one] of cases) {
      const { refused, unknown } = await sendBoth(one);
      expect([title, refused.status < 300, refused.status]).toEqual([title, true, unknown.status]);
    }
    const used = Object.entries(ACCEPTED).map(([name]) => cases.some(([, { call }]) => nameOf(call) === name));
    expect(used).not.toContain(false);
  });

  it("is unknown to the job that evaluates records", async () => {
    const found = [...casesOf(apps)].find(([title]) => title.endsWith("/records/evaluate /ids/*"));
    if (found === undefined) throw new Error("fillApp evaluates no single record");
    const [, one] = found;
    const { refused, unknown, missing } = await sendBoth(one);
    const reportOf = async ({ text }: Answer, id: string) => {
      const job = () => apps.stepwell.jobs.get(apps.mine.id, JSON.parse(text).id);
      await expect.poll(async () => (await job()).status).toBe("succeeded");
      return JSON.parse(JSON.stringify((await job()).report).replaceAll(id, "ID"));
    };
    const report = await reportOf(refused, one.foreign);
    expect(report).toMatchObject({ failed: 1, problems: [{ code: "not_found" }] });
    expect(report).toEqual(await reportOf(unknown, missing));
  });
});

describe("an id of another app in a query", () => {
  const cases = allRoutes.flatMap((route) =>
    route.kind === "raw"
      ? []
      : idFieldsOf(route.query).flatMap((field) => {
          const name = field.slice(1);
          return name === "version" ? [] : [[name, `${route.method} ${route.path}`, route] as const];
        }),
  );

  it.each(cases)("%s is answered like an unknown one: %s", async (name, _, route) => {
    const { own } = targetOf(route, apps);
    const param = name === "tags" ? "tag_id" : name === "parent_run_id" ? "run_id" : name;
    const foreign = apps.other.resources.findLast(({ params }) => params[param] !== undefined)?.params[param];
    if (foreign === undefined) throw new Error(`No call of fillApp has a ${name}`);
    const missing = missingLike(foreign);
    const send = (id: string) => apps.send(route.method, `${filled(route.path, own)}?${name}=${id}`, apps.mine.key);
    const writes = apps.writes();
    const [found, unknown] = [await send(foreign), await send(missing)];
    expect(found.status).toBeLessThan(500);
    expect(observed(found, foreign)).toEqual(observed(unknown, missing));
    expect(apps.writes()).toBe(writes);
  });

  it("is not among the results of a page token of another app", async () => {
    const lists = allRoutes.filter((route) => route.kind === "shaped" && "page_token" in entriesOf(route.query));
    expect(lists.length).toBeGreaterThan(2);
    for (const route of lists) {
      const { own, foreign } = targetOf(route, apps);
      const theirs = await apps.send("GET", `${filled(route.path, foreign)}?take=1`, apps.other.key);
      const token = theirs.headers.get("x-next-page-token");
      if (token === null) continue;
      const answer = await apps.send("GET", `${filled(route.path, own)}?page_token=${token}`, apps.mine.key);
      expect([200, 400, 422], answer.text).toContain(answer.status);
      expect(answer.text).not.toContain(apps.other.id);
      for (const name of namesIn(route.path)) {
        const id = foreign[name] ?? "";
        if (id !== own[name]) expect(answer.text).not.toContain(id);
      }
    }
  });
});

function entriesOf(schema: unknown): object {
  return isRecord(schema) && isRecord(schema["entries"]) ? schema["entries"] : {};
}
