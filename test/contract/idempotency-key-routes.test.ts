/** Which routes honor `Idempotency-Key`, and that repeats of those that wait also wait. */
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allRoutes } from "../../src/api/route-table.ts";
import { defineService, type Step } from "../../src/index.ts";
import { createTestClock, createTestService, type TestClock, type TestService } from "../../src/testing/index.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { oneOfEverything } from "../support/http/every-route.ts";

/** POST routes on which the header has no effect: repeating them creates nothing. */
const WITHOUT = new Set([
  "/apps/{app_id}/workflows/{workflow_id}/validate",
  "/apps/{app_id}/runs/{run_id}/cancel",
  "/apps/{app_id}/runs/{run_id}/evaluate",
  "/apps/{app_id}/runs/{run_id}/retry",
  "/apps/{app_id}/runs/{run_id}/inputs/{step_key}",
  "/apps/{app_id}/collections/{collection_id}/records/{record_id}/evaluate",
  "/apps/{app_id}/collections/{collection_id}/restore",
  // A repeat handles the delivery once more.
  "/apps/{app_id}/collections/{collection_id}/triggers/{trigger_id}/deliveries/{delivery_id}/redeliver",
  // Each event has an id of its own.
  "/public/apps/triggers/{trigger_id}/events",
  // A repeat makes another secret, or sends once more.
  "/apps/{app_id}/webhooks/{webhook_id}/rotate",
  "/apps/{app_id}/webhooks/{webhook_id}/test",
  "/apps/{app_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver",
  "/apps/{app_id}/jobs/{job_id}/cancel",
  // The id of a message identifies it.
  "/apps/{app_id}/mcp",
  // A repeat opens another session.
  "/console/session",
  // It accepts one file.
  "/public/apps/files/uploads/{upload_id}",
  // A repeat of the same values gets the same response.
  "/public/apps/inputs/{token}",
  // The key identifies a delivery, which starts one run whatever its body is: see test/webhooks.
  "/public/apps/hooks/{app_id}/{hook_path*}",
]);

/** A body of every other route. */
const BODIES: Readonly<Record<string, object>> = {
  "/apps": { name: "a" },
  "/apps/{app_id}/keys": { name: "a" },
  "/apps/{app_id}/workflows": { name: "a" },
  "/apps/{app_id}/workflows/import": { format: "stepwell", format_version: 1 },
  "/apps/{app_id}/workflows/{workflow_id}/versions": {},
  "/apps/{app_id}/workflows/{workflow_id}/versions/{version}/rollback": {},
  "/apps/{app_id}/workflows/{workflow_id}/runs": {},
  "/apps/{app_id}/workflows/{workflow_id}/draft/steps/{step_key}/test": { input: {} },
  "/apps/{app_id}/runs/bulk": { action: "replay", filter: { status: ["failed"] } },
  "/apps/{app_id}/runs/{run_id}/replay": {},
  "/apps/{app_id}/runs/{run_id}/inputs/{step_key}/links": {},
  "/apps/{app_id}/runs/{run_id}/links": {},
  "/apps/{app_id}/events": { name: "order.paid" },
  "/apps/{app_id}/schedules": { name: "a", workflow_id: "{workflow_id}", every: 3_600 },
  "/apps/{app_id}/connections": { name: "a", service: "mail", credentials: { password: "a" } },
  "/apps/{app_id}/files/uploads": {},
  "/apps/{app_id}/files/{file_id}/links": {},
  "/apps/{app_id}/hooks": { method: "POST", path: "new", signature: { scheme: "github" } },
  "/apps/{app_id}/webhooks": { url: "https://receiver.test/", events: ["run.failed"] },
  "/apps/{app_id}/collections": { name: "a" },
  "/apps/{app_id}/collections/{collection_id}/rules": { key: "a", name: "a", workflow_id: "{workflow_id}" },
  "/apps/{app_id}/collections/{collection_id}/triggers": {
    type: "webhook",
    name: "a",
    config: { type: "webhook", mappings: [{ type: "field", entity_path: "a:b", input_path: ["b"], name: "b" }] },
  },
  "/apps/{app_id}/collections/{collection_id}/triggers/{trigger_id}/test": { data: { b: 1 } },
  "/apps/{app_id}/collections/{collection_id}/records": { data: { a: { b: 1 } } },
  "/apps/{app_id}/collections/{collection_id}/records/evaluate": { search: "a" },
  "/apps/{app_id}/collections/{collection_id}/records/import": { data: { a: { b: 1 } } },
  "/apps/{app_id}/collections/{collection_id}/records/upsert": { path: "a:b", value: 7 },
  "/apps/{app_id}/collections/{collection_id}/records/bulk": { operations: [{ op: "create" }] },
  "/apps/{app_id}/tags": { name: "a" },
};

const mail = defineService({
  name: "mail",
  connection: v.object({ password: v.string() }),
  actions: { send: { input: v.object({}), output: v.null(), run: () => null } },
});
const ASK: Step = { type: "input", key: "ask", input: { ok: { type: "boolean" } } };
const BASE = "https://stepwell.test";

let clock: TestClock;
let service: TestService;
let key: string;
beforeEach(async () => {
  clock = createTestClock();
  service = await createTestService({
    baseUrl: BASE,
    adminKey: "admin",
    secret: "a".repeat(40),
    services: [mail],
    clock,
  });
  key = (await service.stepwell.keys.create(service.app, { name: "Tests" })).key;
});
afterEach(() => service.close());

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const isAdmin = /^\/apps(\/[^/]+\/keys)?$/.test(path);
  const all = {
    authorization: `Bearer ${isAdmin ? "admin" : key}`,
    "content-type": path.endsWith("/records/import") ? "application/jsonl" : "application/json",
    "idempotency-key": "k",
    ...headers,
  };
  const init = { method: "POST", headers: all, body: JSON.stringify(body) };
  const response = await service.stepwell.fetch(new Request(`${BASE}${path}`, init));
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) };
}

async function deploy(steps: Step[]): Promise<string> {
  const { id } = await service.stepwell.workflows.create(service.app, { name: "Plain", steps });
  await service.stepwell.workflows.deploy(service.app, id);
  return id;
}

const posts = allRoutes.filter(({ method }) => method === "POST");

it("every POST route either honors the key or is listed as one that does not", () => {
  expect(posts.map(({ path }) => path).sort()).toEqual([...WITHOUT, ...Object.keys(BODIES)].sort());
  const honoring = posts.filter(({ repeatable }) => repeatable);
  expect(honoring.map(({ path }) => path).sort()).toEqual(Object.keys(BODIES).sort());
});

it.each(Object.keys(BODIES))("POST %s repeats its response and refuses another body", async (path) => {
  const later: Step = {
    type: "service",
    key: "later",
    service: { service: "rules", action: "list", input: { collection_id: "" } },
  };
  const isStepTest = path.endsWith("/{step_key}/test");
  const workflow_id = await deploy([{ type: "input", key: "in", input: {} }, ...(isStepTest ? [later] : [])]);
  const params: Record<string, string> = { ...(await oneOfEverything(service)), workflow_id, version: "1" };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
  const body = JSON.parse(fill(JSON.stringify(BODIES[path])));
  const first = await post(fill(path), body);
  expect([200, 201, 202], first.text).toContain(first.status);
  await clock.advance(1_000);
  const again = await post(fill(path), body);
  // The response contains a secret, which is not stored.
  if (/\/(keys|hooks|webhooks|inputs\/\{step_key\}\/links|\{run_id\}\/links)$/.test(path))
    expect(again.json).toMatchObject({ status: 409, code: "conflict" });
  else expect(again).toEqual(first);
  const other = await post(fill(path), { other: 1 });
  expect(other.json).toMatchObject({ status: 409, code: "idempotency_mismatch" });
});

describe("a repeat waits as the first request does", () => {
  /** Sends a request three times, the last time when its run waits; `finish` ends what all wait for. */
  async function threeTimes(send: () => ReturnType<typeof post>, finish: (runId: string) => Promise<unknown>) {
    const answers = [send(), send()];
    const waiting = async () => (await service.stepwell.runs.list(service.app, { status: "waiting" })).items;
    await expect.poll(async () => (await waiting()).length).toBe(1);
    answers.push(send());
    await turnEventLoop();
    const [run] = await waiting();
    await finish(run?.id ?? "");
    return Promise.all(answers);
  }

  it("POST /runs with Prefer: wait", async () => {
    const workflow = await deploy([ASK, { type: "input", key: "more", input: { ok: { type: "boolean" } } }]);
    const path = `/apps/me/workflows/${workflow}/runs`;
    const input = { input: { ok: true } };
    const answers = await threeTimes(
      () => post(path, input, { prefer: "wait=9999" }),
      (runId) => service.stepwell.runs.provide(service.app, runId, "more", { ok: true }),
    );
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect(answers.map(({ json }) => json.status)).toEqual(["succeeded", "succeeded", "succeeded"]);
  });

  it.each(["records", "records/upsert"])("POST /%s with rules", async (path) => {
    const workflow_id = await deploy([
      { type: "input", key: "in", input: {}, destinations: ["ask"] },
      ASK,
      { type: "code", key: "code", code: "return { result: 'PASS' }" },
    ]);
    const rules = [{ key: "asks", name: "Asks", workflow_id }];
    const { id } = await service.stepwell.collections.create(service.app, { name: "Loans", config: { rules } });
    const body = path === "records" ? { data: { a: { b: 1 } } } : { path: "a:b", value: 1 };
    const answers = await threeTimes(
      () => post(`/apps/me/collections/${id}/${path}`, body),
      (runId) => service.stepwell.runs.cancel(service.app, runId),
    );
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect(answers.map(({ json }) => json.rule_results[0].result)).toEqual(["ERROR", "ERROR", "ERROR"]);
  });
});

it("a repeated upsert does not overwrite a later change", async () => {
  const { id } = await service.stepwell.collections.create(service.app, { name: "Loans" });
  const send = () =>
    post(`/apps/me/collections/${id}/records/upsert`, { path: "a:b", value: 1, data: { a: { c: 1 } } });
  const first = await send();
  expect(first.status, first.text).toBe(200);
  await service.stepwell.records.update(service.app, id, first.json.id, { data: { a: { c: 2 } } });
  expect(await send()).toEqual(first);
  expect((await service.stepwell.records.get(service.app, id, first.json.id)).data["a"]?.["c"]).toBe(2);
});
