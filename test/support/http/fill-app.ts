/** Fills an app with one of everything, through every route that writes. */
import type { InputDefinition, Step, Stepwell } from "../../../src/index.ts";
import { until as untilHolds } from "../until.ts";
import { ADMIN_KEY, BASE } from "./transports.ts";

interface Created {
  readonly id: string;
  readonly triggers: readonly { readonly id: string }[];
  readonly deliveries: readonly { readonly id: string }[];
  readonly upload_url: string;
}
type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Created>;

const LARGE = 300_000;
const TUS = { "tus-resumable": "1.0.0" };

/** Sends a request and expects success. Each request has its own `Idempotency-Key`. */
function senderOf(stepwell: Stepwell, key: string, calls: Set<string>): Send {
  return async (method, path, body, headers = {}) => {
    const isBytes = body instanceof Uint8Array;
    const token = path === "" || path.endsWith("/keys") ? ADMIN_KEY : key;
    const request = new Request(`${BASE}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === "POST" ? { "idempotency-key": `${method} ${path} ${calls.size}` } : {}),
        ...(body === undefined || isBytes ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const response = await stepwell.fetch(request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    calls.add(`${method} ${path}`);
    return JSON.parse(response.headers.get("content-type")?.includes("json") === true && text !== "" ? text : "{}");
  };
}

const start: Step = { type: "input", key: "start", input: {}, destinations: ["ask"] };
const ask: Step = { type: "input", key: "ask", input: { ok: { type: "boolean" } } };

/** @returns Whether a request to a route was sent, by its method and path. */
export async function fillApp(stepwell: Stepwell, app: string): Promise<(method: string, path: string) => boolean> {
  const { key } = await stepwell.keys.create(app, { name: "Tests" });
  const calls = new Set<string>();
  const send = senderOf(stepwell, key, calls);
  const at = `/apps/${app}`;
  await stepwell.apps.update(app, { name: "Renamed" });
  calls.add(`PATCH ${at}`);
  await send("POST", `${at}/keys`, { name: "Another" });
  const workflow = await fillWorkflows(send, app);
  const shop = { name: "Shop", service: "shop", credentials: { password: "a password" } };
  const connection = (await send("POST", `${at}/connections`, shop)).id;
  await send("PATCH", `${at}/connections/${connection}`, { name: "Renamed" });
  await fillRuns(stepwell, send, { app, workflow, connection });
  await fillWebhooks(stepwell, send, app);
  await fillFiles(stepwell, send, app);
  const webhook = await createWebhook(send, app);
  await fillCollections(stepwell, send, app);
  await fillDeliveries(stepwell, send, app, webhook);
  return (method, path) => {
    const pattern = path
      .replace("{app_id}", app)
      .replace(/\{\w+\*\}/g, ".+")
      .replace(/\{\w+\}/g, "[^/]+");
    return [...calls].some((call) => new RegExp(`^${method} ${pattern}$`).test(call));
  };
}

async function fillWorkflows(send: Send, app: string): Promise<string> {
  const all = `/apps/${app}/workflows`;
  const { id } = await send("POST", all, { name: "Asks", steps: [start, ask] });
  await send("PATCH", `${all}/${id}`, { description: "Asks a person" });
  await send("PUT", `${all}/${id}/draft`, { steps: [start, ask] });
  await send("POST", `${all}/${id}/validate`, { steps: [start, ask] });
  await send("POST", `${all}/${id}/versions`, {});
  await send("POST", `${all}/${id}/versions/1/rollback`, {});
  const deleted = await send("POST", all, { name: "Deleted", steps: [start, ask] });
  await send("POST", `${all}/${deleted.id}/versions`, {});
  await send("POST", `${all}/${deleted.id}/runs`, {});
  await send("DELETE", `${all}/${deleted.id}`);
  await send("POST", all, { name: "Never deployed", steps: [start] });
  const schedule = await send("POST", `/apps/${app}/schedules`, { workflow_id: id, every: 60, key: "once" });
  await send("PATCH", `/apps/${app}/schedules/${schedule.id}`, { name: "Every minute" });
  return id;
}

async function fillRuns(
  stepwell: Stepwell,
  send: Send,
  { app, workflow, connection }: { app: string; workflow: string; connection: string },
): Promise<void> {
  const of = (id: string) => `/apps/${app}/workflows/${id}/runs`;
  const run = (id: string) => `/apps/${app}/runs/${id}`;
  const answered = await send("POST", of(workflow), {});
  await until(stepwell, app, answered.id);
  await send("POST", `${run(answered.id)}/inputs/ask`, { ok: true });
  await stepwell.runs.wait(app, answered.id);
  await send("POST", `${run(answered.id)}/replay`, {});
  const canceled = await send("POST", of(workflow), {});
  await send("POST", `${run(canceled.id)}/cancel`);
  await send("POST", `${run(canceled.id)}/retry`);
  await send("POST", of(workflow), { version: "draft" });
  const service = { service: "shop", action: "large", input: {}, connection_id: connection };
  const large: Step = { type: "service", key: "large", service };
  const child: Step = { type: "workflow", key: "child", workflow_id: workflow, input: {} };
  const parent = await send("POST", `/apps/${app}/workflows`, {
    name: "Parent",
    steps: [
      { ...start, destinations: ["large"] },
      { ...large, destinations: ["child", "ask"] },
      { ...child, destinations: [] },
      ask,
    ],
  });
  await send("POST", `/apps/${app}/workflows/${parent.id}/versions`, {});
  const waiting = await send("POST", of(parent.id), {});
  await until(stepwell, app, waiting.id);
  const { future_file_id } = await stepwell.files.createUpload(app);
  const file = await send("POST", `/apps/${app}/workflows`, {
    name: "Waits for a file",
    steps: [{ type: "input", key: "start", input: { file: { type: "file" } } }],
  });
  await send("POST", `/apps/${app}/workflows/${file.id}/versions`, {});
  await send("POST", of(file.id), { input: { file: [future_file_id] }, wait_for_files: true });
}

/** Waits until a step of the run waits for input. */
async function until(stepwell: Stepwell, app: string, run: string): Promise<void> {
  for await (const event of stepwell.runs.events(app, run)) if (event.type === "step.waiting") return;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

async function fillWebhooks(stepwell: Stepwell, send: Send, app: string): Promise<void> {
  const steps = METHODS.map((method) => ({
    type: "input",
    key: method.toLowerCase(),
    input: {},
    webhook: { method, path: "in" },
  }));
  const { id } = await send("POST", `/apps/${app}/workflows`, { name: "Webhooks", steps });
  await send("POST", `/apps/${app}/workflows/${id}/versions`, {});
  for (const method of METHODS)
    await send(method, `/public/apps/hooks/${app}/in`, undefined, { "webhook-id": `delivery ${method}` });
  const hook = (await stepwell.hooks.list(app)).items.find(({ method }) => method === "POST");
  await send("PUT", `/apps/${app}/hooks/${hook?.id}/signature`, { scheme: "github" });
}

/** Nothing listens there, so that deliveries stay pending. */
const NOWHERE = "http://127.0.0.1:9/";

async function createWebhook(send: Send, app: string): Promise<string> {
  const { id } = await send("POST", `/apps/${app}/webhooks`, { url: NOWHERE, events: ["record.*"] });
  await send("PATCH", `/apps/${app}/webhooks/${id}`, { events: ["*"] });
  await send("POST", `/apps/${app}/webhooks/${id}/rotate`, {});
  await send("POST", `/apps/${app}/webhooks/${id}/test`);
  const deleted = await send("POST", `/apps/${app}/webhooks`, { url: NOWHERE, events: ["*"] });
  await send("DELETE", `/apps/${app}/webhooks/${deleted.id}`);
  return id;
}

async function fillDeliveries(stepwell: Stepwell, send: Send, app: string, webhook: string): Promise<void> {
  const first = async () => (await stepwell.webhooks.deliveries(app, webhook)).items[0];
  await untilHolds(async () => (await first()) !== undefined);
  const delivery = await first();
  await send("POST", `/apps/${app}/webhooks/${webhook}/deliveries/${delivery?.id}/redeliver`);
}

async function fillFiles(stepwell: Stepwell, send: Send, app: string): Promise<void> {
  const upload = async () => {
    const { upload_url } = await send("POST", `/apps/${app}/files/uploads`, {});
    return new URL(upload_url).pathname.replace(new URL(BASE).pathname, "");
  };
  await upload();
  const begun = await upload();
  await send("POST", begun, undefined, { ...TUS, "upload-length": String(2 * LARGE) });
  const part = { ...TUS, "content-type": "application/offset+octet-stream", "upload-offset": "0" };
  await send("PATCH", begun, new Uint8Array(LARGE), part);
  const { upload_url } = await stepwell.files.createUpload(app);
  const file = await stepwell.files.receive(upload_url, { name: "a.bin", body: new Uint8Array(LARGE) });
  await stepwell.files.create(app, { name: "b.txt", body: new Uint8Array(3) });
  await send("PATCH", `/apps/${app}/files/${file.id}`, { expires_at: "2030-03-01T00:00:00.000Z" });
  await send("POST", `/apps/${app}/files/${file.id}/links`, {});
}

const TRIGGER = {
  type: "webhook",
  name: "Events",
  config: { type: "webhook", mappings: [{ type: "field", entity_path: "a:b", input_path: ["b"], name: "B" }] },
};

async function fillCollections(stepwell: Stepwell, send: Send, app: string): Promise<void> {
  const all = `/apps/${app}/collections`;
  const tag = await send("POST", `/apps/${app}/tags`, { name: "Tag" });
  await send("PATCH", `/apps/${app}/tags/${tag.id}`, { name: "Renamed" });
  const record: InputDefinition = { record: { type: "object", fields: {}, additional_fields: true } };
  const checks = { name: "Checks", steps: [{ ...start, input: record, destinations: [] }] };
  const { id: workflow } = await send("POST", `/apps/${app}/workflows`, checks);
  await send("POST", `/apps/${app}/workflows/${workflow}/versions`, {});
  const rule = { key: "rule", name: "Rule", workflow_id: workflow, on_success: "PASS", on_fail: "FAIL" };
  for (const name of ["Deleted", "Kept"]) {
    const config = { rules: [rule], indexes: ["a:b"] };
    const { id, triggers } = await send("POST", all, { name, tags: [tag.id], config, triggers: [TRIGGER] });
    const trigger = triggers[0]?.id;
    const { deliveries } = await send("POST", `/public/apps/triggers/${trigger}/events`, { b: 4 });
    const { id: added } = await send("POST", `${all}/${id}/triggers`, TRIGGER);
    await send("PATCH", `${all}/${id}/triggers/${added}`, { name: "Renamed" });
    await send("POST", `${all}/${id}/triggers/${added}/test`, { data: { b: 5 } });
    await send("PUT", `${all}/${id}/triggers/${trigger}/signature`, { scheme: "github" });
    await send("POST", `${all}/${id}/triggers/${trigger}/deliveries/${deliveries[0]?.id}/redeliver`);
    await send("PATCH", `${all}/${id}`, { description: "Changed" });
    await send("POST", `${all}/${id}/rules`, { ...rule, key: "another" });
    await send("PATCH", `${all}/${id}/rules/another`, { name: "Renamed" });
    await send("PUT", `${all}/${id}/mappings`, [{ source_path: "a:b", destination_paths: ["a:d"] }]);
    const { id: record } = await send("POST", `${all}/${id}/records`, {
      key: "once",
      data: { a: { b: 1 } },
      tags: [tag.id],
    });
    await send("PATCH", `${all}/${id}/records/${record}`, { data: { a: { c: 2 } } });
    await send("POST", `${all}/${id}/records/${record}/evaluate`);
    await send("PATCH", `${all}/${id}`, { config: { indexes: ["a:b", "a:c"] } });
    await send("POST", `${all}/${id}/records/upsert`, { path: "a:b", value: 3 });
    await send("POST", `${all}/${id}/records/bulk`, { operations: [{ op: "create", data: { a: { b: 5 } } }] });
    const job = await send("POST", `${all}/${id}/records/evaluate`, {});
    await send("POST", `/apps/${app}/jobs/${job.id}/cancel`);
    await send("POST", `${all}/${id}/records/evaluate`, { search: "3" });
    const { id: deleted } = await send("POST", `${all}/${id}/records`, { data: { a: { b: 4 } } });
    await send("DELETE", `${all}/${id}/records/${deleted}`);
    await stepwell.collections.remove(app, id);
    if (name === "Kept") await send("POST", `${all}/${id}/restore`);
  }
}
