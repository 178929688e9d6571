/** Deleting an app closes all its URLs that need no key, immediately. */
import memoryDriver from "unstorage/drivers/memory";
import { beforeAll, describe, expect, it } from "vitest";
import { allRoutes } from "../../src/api/route-table.ts";
import { createStepwell, type Step } from "../../src/index.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { ADMIN_KEY, BASE } from "../support/http/transports.ts";
import { silent } from "../support/storage/open.ts";

const tus = { "tus-resumable": "1.0.0" };
const part = { ...tus, "content-type": "application/offset+octet-stream" };
const form = () => {
  const body = new FormData();
  body.set("file", new Blob(["content"]), "a.txt");
  return body;
};
const WEBHOOK_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

type CreateRequest = () => Request;

/** A deleted app of which nothing was purged yet: the purge hangs in its first read. */
const MAPPING = { type: "field", entity_path: "a:b", input_path: ["b"], name: "b" };

async function openDeletable() {
  const memory = memoryDriver();
  const driver = {
    ...memory,
    getItem: (key: string) =>
      key.startsWith("list:apps.deleted:") ? new Promise<never>(() => {}) : memory.getItem(key),
  };
  const clock: Clock = { now: Date.now, after: () => () => {} };
  const stepwell = createStepwell({
    baseUrl: BASE,
    adminKey: ADMIN_KEY,
    logger: silent,
    clock,
    storage: { entities: driver },
  });
  const { id: app } = await stepwell.apps.create({ name: "Gone" });
  const { key } = await stepwell.keys.create(app, { name: "key" });
  const { id: workflow } = await stepwell.workflows.create(app, {
    name: "Public",
    visibility: "PUBLIC",
    steps: WEBHOOK_METHODS.map((method) => ({
      type: "input" as const,
      key: method.toLowerCase(),
      input: {},
      webhook: { method, path: "in" },
    })),
  });
  await stepwell.workflows.deploy(app, workflow);
  const collection = await stepwell.collections.create(app, {
    name: "Public",
    visibility: "PUBLIC",
    triggers: [{ type: "webhook", name: "Events", config: { type: "webhook", mappings: [MAPPING] } }],
  });
  const events = `${BASE}/public/apps/triggers/${collection.triggers[0]?.id}/events`;
  const file = await stepwell.files.create(app, {
    name: "a.txt",
    body: new TextEncoder().encode("content"),
    visibility: "PUBLIC",
  });
  const link = await stepwell.files.createLink(app, file.id);
  const upload = async () => (await stepwell.files.createUpload(app)).upload_url;
  const started = await upload();
  await stepwell.fetch(new Request(started, { method: "POST", headers: { ...tus, "upload-length": "9" } }));

  const asking: Step[] = [
    { type: "input", key: "in", input: {} },
    { type: "input", key: "ask", input: {} },
  ];
  const asks = await stepwell.workflows.create(app, { name: "Asks", steps: asking });
  await stepwell.workflows.deploy(app, asks.id);
  const { id: waiting } = await stepwell.runs.create(app, asks.id, {});
  const { url: followed } = await stepwell.runs.createLink(app, waiting);
  const { url: asked } = await stepwell.inputs.createLink(app, waiting, "ask");

  const hook = `${BASE}/public/apps/hooks/${app}/in`;
  const uploads = "/public/apps/files/uploads/{upload_id}";
  const whole = { url: await upload(), begun: await upload(), shown: await upload() };
  const requestsByRoute: Readonly<Record<string, readonly CreateRequest[]>> = {
    [`POST ${uploads}`]: [
      () => new Request(whole.url, { method: "POST", body: form() }),
      () => new Request(whole.begun, { method: "POST", headers: { ...tus, "upload-length": "9" } }),
    ],
    [`GET ${uploads}`]: [
      () => new Request(whole.shown),
      () => new Request(whole.shown, { headers: { accept: "text/html" } }),
      () => new Request(whole.shown, { method: "HEAD" }),
      () => new Request(started, { method: "HEAD", headers: tus }),
    ],
    [`PATCH ${uploads}`]: [
      () => new Request(started, { method: "PATCH", headers: { ...part, "upload-offset": "0" }, body: "abc" }),
    ],
    [`DELETE ${uploads}`]: [() => new Request(started, { method: "DELETE", headers: tus })],
    "GET /public/apps/runs/{token}": [
      () => new Request(followed),
      () => new Request(followed, { headers: { accept: "text/event-stream" } }),
    ],
    "GET /public/apps/inputs/{token}": [() => new Request(asked)],
    "POST /public/apps/inputs/{token}": [
      () => new Request(asked, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }),
    ],
    "GET /apps/{app_id}/files": [() => new Request(`${BASE}/apps/${app}/files`)],
    "GET /apps/{app_id}/files/{file_id}": [() => new Request(`${BASE}/apps/${app}/files/${file.id}`)],
    "GET /apps/{app_id}/files/{file_id}/content": [() => new Request(`${BASE}/apps/${app}/files/${file.id}/content`)],
    "GET /public/apps/files/{file_id}/content": [
      () => new Request(link.url),
      () => new Request(link.url, { method: "HEAD" }),
    ],
    "GET /apps/{app_id}/workflows/{workflow_id}/versions/{version_id_or_version_number}": [
      () => new Request(`${BASE}/apps/${app}/workflows/${workflow}/versions/1`),
    ],
    "GET /apps/{app_id}/workflows/{workflow_id}/versions/{version}/diagram": [
      () => new Request(`${BASE}/apps/${app}/workflows/${workflow}/versions/1/diagram`),
    ],
    "POST /public/apps/triggers/{trigger_id}/events": [
      () => new Request(events, { method: "POST", headers: { "content-type": "application/json" }, body: '{"b":1}' }),
    ],
    "GET /apps/{app_id}/collections": [() => new Request(`${BASE}/apps/${app}/collections`)],
    "GET /apps/{app_id}/collections/{collection_id}": [
      () => new Request(`${BASE}/apps/${app}/collections/${collection.id}`),
    ],
    ...Object.fromEntries(
      WEBHOOK_METHODS.map((method) => [
        `${method} /public/apps/hooks/{app_id}/{hook_path*}`,
        [
          () => new Request(hook, { method }),
          ...(method === "GET" ? [() => new Request(hook, { method: "HEAD" })] : []),
        ],
      ]),
    ),
  };
  return { stepwell, app, key, requestsByRoute };
}

const WITHOUT_APP = [
  "/console",
  "/console/{path*}",
  "/console/session",
  "/docs",
  "/docs/{operation}",
  "/health",
  "/health/live",
  "/openapi.json",
];
const keyless = allRoutes
  .filter(({ access, path }) => (access === "open" || access === "public") && !WITHOUT_APP.includes(path))
  .map(({ method, path }) => `${method} ${path}`);

describe("a route without a key", () => {
  let service: Awaited<ReturnType<typeof openDeletable>>;
  const before = new Map<string, readonly number[]>();
  const after = new Map<string, readonly number[]>();

  async function sendAll(statuses: Map<string, readonly number[]>): Promise<void> {
    for (const [route, requests] of Object.entries(service.requestsByRoute)) {
      const found: number[] = [];
      for (const request of requests) found.push((await service.stepwell.fetch(request())).status);
      statuses.set(route, found);
    }
  }

  beforeAll(async () => {
    service = await openDeletable();
    await sendAll(before);
    service = await openDeletable();
    await service.stepwell.apps.remove(service.app);
    await sendAll(after);
  });

  it.each(keyless)("returns 404 once its app is deleted: %s", (route) => {
    expect(before.get(route)?.filter((status) => status >= 400)).toEqual([]);
    expect(after.get(route)).toEqual(before.get(route)?.map(() => 404));
  });
});

it("answers 404 to a repeated Idempotency-Key of a deleted app", async () => {
  const { stepwell, app, key } = await openDeletable();
  const create = () =>
    stepwell.fetch(
      new Request(`${BASE}/apps/${app}/collections`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "idempotency-key": "once", "content-type": "application/json" },
        body: JSON.stringify({ name: "One" }),
      }),
    );
  expect((await create()).status).toBe(201);
  await stepwell.apps.remove(app);
  expect((await create()).status).toBe(404);
});

it("rejects uploads and reads of files in process once the app is deleted", async () => {
  const { stepwell, app } = await openDeletable();
  const { upload_url } = await stepwell.files.createUpload(app);
  const file = await stepwell.files.create(app, { name: "a.txt", body: new Uint8Array(3) });
  await stepwell.apps.remove(app);
  const gone = { code: "not_found" };
  await expect(stepwell.files.receive(upload_url, { body: new Uint8Array(3) })).rejects.toMatchObject(gone);
  await expect(stepwell.files.content(app, file.id)).rejects.toMatchObject(gone);
  await expect(stepwell.files.text(app, file.id)).rejects.toMatchObject(gone);
});
