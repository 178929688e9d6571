/** A service with one resource of each kind, and all of its routes that take a body. */

import { afterAll, beforeAll, expect } from "vitest";
import { createMcpServer } from "../../../adapters/mcp/index.ts";
import { allRoutes } from "../../../src/api/route-table.ts";
import { createTestService, type TestService } from "../../../src/testing/index.ts";
import { FIELDS } from "./every-field.ts";

const BASE = "https://example.com/auto";
/** Of an error. */
export const MAX_ANSWER_BYTES = 64 * 1024;
export const MAX_ERRORS = 100;
/** Of a success: ids, dates and defaults are added to what was sent. */
const MAX_GROWTH = 8;

/** Of routes that need the admin key. */
const ADMIN_PATHS: ReadonlySet<string> = new Set(["/apps", "/apps/{app_id}", "/apps/{app_id}/keys"]);

export const routes = allRoutes.filter(({ method }) => method !== "GET" && method !== "DELETE");

export interface Problem {
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
  readonly errors_truncated?: boolean;
  readonly detail: string;
}

export interface Answer {
  readonly status: number;
  /** Null if the response is not a problem document. */
  readonly problem: Problem | null;
}

/**
 * Opens a service for the tests of a file.
 * @returns A function that sends a body to a route, and checks that the response is no server error and short if it is
 * an error.
 */
export function openEveryRoute() {
  let service: TestService;
  let key: string;
  let params: Record<string, string>;
  const logged: unknown[] = [];

  beforeAll(async () => {
    const log = (...entry: unknown[]) => void logged.push(entry);
    const logger = { debug() {}, info() {}, warn() {}, error: log };
    service = await createTestService({
      baseUrl: BASE,
      adminKey: "admin",
      logger,
      secret: "a".repeat(40),
      mcp: createMcpServer(),
    });
    key = (await service.stepwell.keys.create(service.app, { name: "Tests" })).key;
    params = await oneOfEverything(service);
  });
  afterAll(() => service.close());

  return async (
    method: string,
    path: string,
    value: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const body = typeof value === "string" ? value : JSON.stringify(value);
    const filled = path.replace(/\{(\w+)\*?\}/g, (_, name: string) => params[name] ?? "some");
    const bearer = ADMIN_PATHS.has(path) ? "admin" : key;
    const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json", ...more };
    const response = await service.stepwell.fetch(new Request(`${BASE}${filled}`, { method, headers, body }));
    const text = await response.text();
    const { status } = response;
    expect(status, text).toBeLessThan(500);
    expect(logged).toEqual([]);
    if (status < 400) {
      expect(text.length).toBeLessThan(MAX_GROWTH * body.length + MAX_ANSWER_BYTES);
      return { status, problem: null };
    }
    expect(text.length).toBeLessThan(MAX_ANSWER_BYTES);
    const problem: Problem = JSON.parse(text);
    expect(problem.errors?.length ?? 0).toBeLessThanOrEqual(MAX_ERRORS);
    return { status, problem };
  };
}

const TRIGGER = {
  type: "webhook",
  name: "Events",
  config: { type: "webhook", mappings: [{ type: "field", entity_path: "a:b", input_path: ["c"], name: "C" }] },
};

/** The value of each path parameter. */
export async function oneOfEverything({ stepwell, app, upload }: TestService): Promise<Record<string, string>> {
  const steps = [
    { type: "input" as const, key: "in", input: FIELDS, webhook: { method: "POST" as const, path: "hook" } },
    { type: "input" as const, key: "later", input: FIELDS },
  ];
  const workflow = (await stepwell.workflows.create(app, { name: "Hook", steps })).id;
  await stepwell.workflows.deploy(app, workflow);
  const later = { type: "input" as const, key: "later", input: FIELDS };
  const open = await stepwell.workflows.create(app, {
    name: "Open",
    steps: [{ type: "input", key: "in", input: {} }, later],
  });
  await stepwell.workflows.deploy(app, open.id);
  const run_id = (await stepwell.runs.create(app, open.id)).id;
  const link = await stepwell.inputs.createLink(app, run_id, "later");
  const event = await stepwell.events.emit(app, { name: "order.paid" });
  const collection = await stepwell.collections.create(app, { name: "Collection", triggers: [TRIGGER] });
  const record = await stepwell.records.create(app, collection.id, { data: { a: { b: 1 } } });
  const [hook] = (await stepwell.hooks.list(app)).items;
  return {
    app_id: app,
    workflow_id: workflow,
    collection_id: collection.id,
    trigger_id: collection.triggers[0]?.id ?? "",
    record_id: record.id,
    tag_id: (await stepwell.tags.create(app, { name: "tag" })).id,
    file_id: await upload("file.txt", "text"),
    run_id,
    link_id: link.id,
    token: link.url.split("/").at(-1) ?? "",
    event_id: event.id,
    upload_id: (await stepwell.files.createUpload(app)).upload_url.split("/").at(-1) ?? "",
    job_id: (await stepwell.records.evaluateMany(app, collection.id)).id,
    hook_id: hook?.id ?? "",
    hook_path: "hook",
    step_key: "later",
  };
}
