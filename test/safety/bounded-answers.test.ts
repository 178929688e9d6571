/** What a large wrong body costs: a short answer, and work in proportion to its size. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allRoutes } from "../../src/routes.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";
import { FIELDS } from "./every-field.ts";
import { MAX_BODY_BYTES, manyKeys, NONSENSE, nonsenseFor, placesOf } from "./hostile-bodies.ts";

const BASE = "https://example.com/auto";
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_ERRORS = 100;

let t: TestService;
let key: string;
let params: Record<string, string>;
const logged: unknown[] = [];

beforeAll(async () => {
  const log = (...entry: unknown[]) => void logged.push(entry);
  const logger = { debug() {}, info() {}, warn() {}, error: log };
  t = await createTestService({ baseUrl: BASE, adminKey: "admin", logger, secret: "a".repeat(40) });
  const { stepwell, app } = t;
  key = (await stepwell.keys.create(app, { name: "Tests" })).key;
  const steps = [
    { type: "input" as const, key: "in", input: FIELDS, webhook: { method: "POST" as const, path: "hook" } },
    { type: "input" as const, key: "later", input: FIELDS },
  ];
  const workflow = (await stepwell.workflows.create(app, { name: "Hook", steps })).id;
  await stepwell.workflows.deploy(app, workflow);
  const open = await stepwell.workflows.create(app, { name: "Open", steps: [{ type: "input", key: "in", input: {} }] });
  await stepwell.workflows.deploy(app, open.id);
  const collection = (await stepwell.collections.create(app, { name: "Collection" })).id;
  const record = await stepwell.records.create(app, collection, { data: { a: { b: 1 } } });
  const [hook] = (await stepwell.hooks.list(app)).items;
  params = {
    app_id: app,
    workflow_id: workflow,
    collection_id: collection,
    record_id: record.id,
    tag_id: (await stepwell.tags.create(app, { name: "tag" })).id,
    file_id: await t.upload("file.txt", "text"),
    run_id: (await stepwell.runs.create(app, open.id)).id,
    upload_id: (await stepwell.files.createUpload(app)).upload_url.split("/").at(-1) ?? "",
    hook_id: hook?.id ?? "",
    hook_path: "hook",
    step_key: "later",
  };
});
afterAll(() => t.close());

const routes = allRoutes.filter(({ method }) => method !== "GET" && method !== "DELETE");

function send(method: string, path: string, body: string, type = "application/json"): Promise<Response> {
  const filled = path.replace(/\{(\w+)\*?\}/g, (_, name: string) => params[name] ?? "some");
  const bearer = path === "/apps" ? "admin" : key;
  const headers = { authorization: `Bearer ${bearer}`, "content-type": type };
  return t.stepwell.fetch(new Request(`${BASE}${filled}`, { method, headers, body }));
}

/** Checks the answer to a body; gives the problem where it is one. */
async function answerTo(method: string, path: string, value: unknown) {
  const body = typeof value === "string" ? value : JSON.stringify(value);
  expect(body.length).toBeLessThanOrEqual(MAX_BODY_BYTES);
  const response = await send(method, path, body);
  const text = await response.text();
  expect(response.status).toBeLessThan(500);
  if (response.status < 400) return null;
  expect(text.length).toBeLessThan(MAX_ANSWER_BYTES);
  const problem: { errors?: unknown[]; errors_truncated?: boolean; detail: string } = JSON.parse(text);
  expect(problem.errors?.length ?? 0).toBeLessThanOrEqual(MAX_ERRORS);
  expect(logged).toEqual([]);
  return problem;
}

/** At the root of a body; the places below it get what their own shape makes most of. */
const AT_ROOT = Object.entries(NONSENSE).filter(([what]) =>
  ["unknown keys", "wrong fields below a long key"].includes(what),
);

describe("a large body of nonsense gets an answer below 64 KiB", () => {
  const seen = new Set<unknown>();
  const cases = routes.flatMap((route) => {
    const { method, path } = route;
    const places = "body" in route && route.body !== undefined ? placesOf(route.body, seen) : [];
    const root = AT_ROOT.map(([what, value]) => [method, path, "/", what, value] as const);
    const below = places.flatMap((place) =>
      nonsenseFor(place)
        .slice(0, 1)
        .map(([what, value]) => [method, path, place.name, what, () => place.put(value())] as const),
    );
    return [...root, ...below];
  });

  it("covers the whole table", () => expect(cases.length).toBeGreaterThan(routes.length * 2));

  it.each(cases)("%s %s at %s: %s", async (method, path, _place, _what, value) => {
    await answerTo(method, path, value());
  });
});

describe("the input of a run and of a webhook", () => {
  const HOOK = "/public/apps/hooks/{app_id}/{hook_path*}";
  const RUNS = "/apps/{app_id}/workflows/{workflow_id}/runs";

  it.each(Object.keys(FIELDS))("reports at most 100 errors for the field %s, whatever stands there", async (field) => {
    for (const what of ["a list of empty objects", "wrong fields below a long key"]) {
      const value = NONSENSE[what]?.();
      await answerTo("POST", HOOK, { [field]: value });
      await answerTo("POST", RUNS, { input: { [field]: value } });
    }
  });

  it("says that there are more errors than it reports", async () => {
    const problem = await answerTo("POST", RUNS, { input: manyKeys(0) });
    expect(problem?.errors).toHaveLength(MAX_ERRORS);
    expect(problem?.errors_truncated).toBe(true);
    expect(problem?.detail).toContain("and at least 99 more");
  });

  it("reports all errors where they are few", async () => {
    const problem = await answerTo("POST", RUNS, { input: { unknown: 1 } });
    expect(problem?.errors_truncated).toBeUndefined();
  });
});
