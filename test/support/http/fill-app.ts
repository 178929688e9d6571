/** Fills an app with one of everything, through every route that writes. */
import * as v from "valibot";
import { defineService, defineTrigger, type Step, type Stepwell } from "../../../src/index.ts";
import { until as untilHolds } from "../until.ts";
import { fillCollections } from "./fill-collections.ts";
import { createRecorder, type RecordedCall, type Send } from "./recorded-calls.ts";
import { BASE } from "./transports.ts";

const LARGE = 300_000;
const TUS = { "tus-resumable": "1.0.0" };
const credentials = v.object({ password: v.string() });

/** What the service of the app needs. */
export const SERVICES = [
  defineService({
    name: "shop",
    connection: credentials,
    actions: { large: { input: v.object({}), output: v.string(), run: () => "x".repeat(200_000) } },
  }),
];
export const TRIGGERS = [
  defineTrigger({ name: "crm", config: v.object({}), connection: credentials, poll: () => ({ events: [] }) }),
];

const start: Step = { type: "input", key: "start", input: {}, destinations: ["ask"] };
const half: Step = { type: "code", key: "half", code: "return 0.5" };
const ask: Step = { type: "input", key: "ask", input: { ok: { type: "boolean" } } };

/** An MCP server that repeats messages: the protocol itself has tests of its own. */
export const MCP_ECHO = {
  respond: async (request: Request) => Response.json(await request.json()),
  close: async () => undefined,
};

/** @returns The requests, with an id wherever a body may have one. */
export async function fillApp(stepwell: Stepwell, app: string): Promise<readonly RecordedCall[]> {
  const { key } = await stepwell.keys.create(app, { name: "Tests" });
  const { send, calls } = createRecorder(stepwell, key);
  const at = `/apps/${app}`;
  await send("PATCH", at, { name: "Renamed" });
  await send("POST", `${at}/keys`, { name: "Another" });
  const workflow = await fillWorkflows(send, app);
  const shop = { name: "Shop", service: "shop", credentials: { password: "a password" } };
  const connection = (await send("POST", `${at}/connections`, shop)).id;
  await send("PATCH", `${at}/connections/${connection}`, { name: "Renamed" });
  await fillRuns(stepwell, send, { app, workflow, connection });
  await fillHooks(stepwell, send, app);
  const file = await fillFiles(stepwell, send, app);
  await fillReferences(send, app, { workflow, connection, file });
  const webhook = await createWebhook(send, app);
  const collection = await fillCollections(send, app, file);
  await fillFilters(send, app, { webhook, collection, workflow });
  await fillDeliveries(stepwell, send, app, webhook);
  return calls;
}

async function fillWorkflows(send: Send, app: string): Promise<string> {
  const all = `/apps/${app}/workflows`;
  const { id } = await send("POST", all, { name: "Asks", steps: [start, ask] });
  await send("PATCH", `${all}/${id}`, { description: "Asks a person" });
  const limits = { concurrency: { limit: 100 }, rate_limit: { limit: 100, period: 60 } };
  const settings = { on_failure: { workflow_id: id }, start_on: [{ name: "order.paid" }], ...limits };
  await send("POST", all, { name: "Handles failures", steps: [start], settings });
  await send("PUT", `${all}/${id}/draft`, { steps: [start, ask], settings });
  await send("POST", `${all}/${id}/validate`, { steps: [start, ask] });
  const version = await send("POST", `${all}/${id}/versions`, {});
  await send("POST", `${all}/${id}/versions/${version.id}/rollback`, {});
  await send("GET", `${all}/${id}/versions/${version.id}/diff/${version.id}`);
  await send("GET", `${all}/${id}/versions/${version.id}/diagram`);
  await send("GET", `${all}/${id}/versions/${version.id}/export`);
  await send("GET", `/apps/${app}/export`);
  const document = { format: "stepwell", format_version: 1, workflows: [{ id, name: "Imported" }] };
  await send("POST", `${all}/import`, { ...document, root: id, reuse: [{ id, use_id: id }] });
  const deleted = await send("POST", all, { name: "Deleted", steps: [start, ask] });
  await send("POST", `${all}/${deleted.id}/versions`, {});
  await send("POST", `${all}/${deleted.id}/runs`, {});
  await send("DELETE", `${all}/${deleted.id}`);
  await send("POST", all, { name: "Never deployed", steps: [start] });
  const tried = await send("POST", all, { name: "Tried", steps: [{ ...start, destinations: [] }, half], pinned: {} });
  await send("POST", `${all}/${tried.id}/draft/steps/half/test`, { input: {} });
  const event = await send("POST", `/apps/${app}/events`, { name: "order.sent", subject: "7", key: "once" });
  await send("GET", `/apps/${app}/events/${event.id}`);
  const schedule = await send("POST", `/apps/${app}/schedules`, { workflow_id: id, every: 60, key: "once" });
  await send("PATCH", `/apps/${app}/schedules/${schedule.id}`, { name: "Every minute" });
  const pinned = { version: version.id };
  const another = await send("POST", `/apps/${app}/schedules`, { workflow_id: id, every: 60, ...pinned });
  await send("PATCH", `/apps/${app}/schedules/${another.id}`, pinned);
  const run = await send("POST", `${all}/${id}/runs`, pinned);
  await send("POST", `/apps/${app}/runs/${run.id}/replay`, pinned);
  await send("POST", `${all}/${id}/runs`, { run_at: "2030-06-01T00:00:00Z", priority: 1, ...pinned });
  await send("POST", `/apps/${app}/runs/bulk`, {
    action: "cancel",
    filter: { parent_run_id: run.id, workflow_id: id },
  });
  await send("POST", `/apps/${app}/runs/bulk`, { action: "cancel", ids: [run.id] });
  await send("POST", `/apps/${app}/mcp`, { jsonrpc: "2.0", id: 1, method: "ping" });
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
  await send("GET", `${run(answered.id)}/inputs/ask`);
  const link = await send("POST", `${run(answered.id)}/inputs/ask/links`, {});
  await send("GET", `${run(answered.id)}/inputs/ask/links`);
  await send("DELETE", `${run(answered.id)}/inputs/ask/links/${link.id}`);
  await send("POST", `${run(answered.id)}/inputs/ask/links`, {});
  await send("POST", `${run(answered.id)}/inputs/ask`, { ok: true });
  const followed = await send("POST", `${run(answered.id)}/links`, {});
  await send("DELETE", `${run(answered.id)}/links/${followed.id}`);
  await send("POST", `${run(answered.id)}/links`, {});
  const formed = await send("POST", of(workflow), {});
  await until(stepwell, app, formed.id);
  const { url } = await stepwell.inputs.createLink(app, formed.id, "ask");
  await send("POST", new URL(url).pathname.replace(new URL(BASE).pathname, ""), { ok: true });
  await stepwell.runs.wait(app, answered.id);
  await send("POST", `${run(answered.id)}/evaluate`, { expression: "1 + 1" });
  await send("POST", `${run(answered.id)}/replay`, {});
  const canceled = await send("POST", of(workflow), {});
  await send("POST", `${run(canceled.id)}/cancel`);
  await send("POST", `${run(canceled.id)}/retry`, { version: canceled.workflow_version_id });
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

async function fillHooks(stepwell: Stepwell, send: Send, app: string): Promise<void> {
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
  const signature = { scheme: "github" };
  await send("POST", `/apps/${app}/hooks`, { method: "POST", path: "not/deployed", signature });
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

/** @returns The id of a file. */
async function fillFiles(stepwell: Stepwell, send: Send, app: string): Promise<string> {
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
  const takesFiles = await send("POST", `/apps/${app}/workflows`, {
    name: "Takes files",
    steps: [
      { ...start, input: { file: { type: "file" } } },
      { ...ask, input: { file: { type: "file" } } },
    ],
  });
  await send("POST", `/apps/${app}/workflows/${takesFiles.id}/versions`, {});
  const input = { file: [file.id] };
  const schedule = { workflow_id: takesFiles.id, every: 60, input };
  const { id } = await send("POST", `/apps/${app}/schedules`, schedule);
  await send("PATCH", `/apps/${app}/schedules/${id}`, { input });
  const run = await send("POST", `/apps/${app}/workflows/${takesFiles.id}/runs`, { input });
  await until(stepwell, app, run.id);
  await send("POST", `/apps/${app}/runs/${run.id}/inputs/ask`, { file: [file.id] });
  return file.id;
}

interface Referenced {
  readonly workflow: string;
  readonly connection: string;
  readonly file: string;
}

/** A definition with an id wherever one can be. */
async function fillReferences(send: Send, app: string, { workflow, connection, file }: Referenced): Promise<void> {
  const at = `/apps/${app}/workflows`;
  const { id: version } = await send("POST", `${at}/${workflow}/versions`, {});
  const shop = { service: "shop", action: "large", input: {}, connection_id: connection };
  const provider = {
    provider: "scripted",
    model: "any",
    messages: [{ role: "user" as const, content: [{ type: "file" as const, file_id: file }] }],
    tools: [
      workflow,
      { type: "workflow" as const, workflow_id: workflow, name: "ask", description: "Asks a person" },
      { type: "service" as const, ...shop },
    ],
  };
  const pictured = [{ role: "user" as const, content: [{ type: "image" as const, file_id: file }] }];
  const steps: Step[] = [
    { ...start, destinations: ["child", "shop", "model", "pictured"] },
    { type: "workflow", key: "child", workflow_id: workflow, workflow_version_id: version, input: {} },
    { type: "service", key: "shop", service: shop },
    { type: "model", key: "model", provider },
    { type: "model", key: "pictured", provider: { ...provider, messages: pictured } },
  ];
  const { id } = await send("POST", at, { name: "Refers", steps });
  await send("PUT", `${at}/${id}/draft`, { steps });
  await send("POST", `${at}/${id}/validate`, { steps });
}

/** Webhooks that get the events of one resource. */
async function fillFilters(
  send: Send,
  app: string,
  { webhook, collection, workflow }: { webhook: string; collection: string; workflow: string },
): Promise<void> {
  const all = `/apps/${app}/webhooks`;
  for (const filter of [
    { events: ["record.deleted"], collection_id: collection },
    { events: ["workflow.deployed"], workflow_id: workflow },
  ]) {
    const { id } = await send("POST", all, { url: NOWHERE, ...filter });
    await send("PATCH", `${all}/${id}`, filter);
  }
  await send("PATCH", `${all}/${webhook}`, { url: NOWHERE });
}
