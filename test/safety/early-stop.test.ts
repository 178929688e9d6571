/** Validation stops after 100 errors. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SandboxError } from "../../src/ports/sandbox.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";
import { MAX_STEPS } from "../../src/workflows/version.ts";

const BASE = "https://example.com/auto";
const MAX_ERRORS = 100;
const MANY = 1_500;

let service: TestService;
let key: string;
let workflow: string;
let collection: string;
let file: string;
let checks = 0;

beforeAll(async () => {
  const sandbox = {
    run: async () => ({ value: null, logs: [] }),
    check: async () => {
      checks++;
      throw new SandboxError("code_failed", "This is no code.");
    },
    close: async () => {},
  };
  service = await createTestService({ baseUrl: BASE, sandbox });
  const { stepwell, app } = service;
  key = (await stepwell.keys.create(app, { name: "Tests" })).key;
  workflow = (await stepwell.workflows.create(app, { name: "Draft" })).id;
  collection = (await stepwell.collections.create(app, { name: "Collection" })).id;
  const other = await stepwell.workflows.create(app, {
    name: "Holder",
    steps: [{ type: "input", key: "in", input: {}, webhook: { method: "POST", path: "held" } }],
  });
  await stepwell.workflows.deploy(app, other.id);
  file = await service.upload("a.txt", "text");
});
afterAll(() => service.close());

const many = <T>(make: (index: number) => T, length = MANY): T[] => Array.from({ length }, (_, index) => make(index));
const named = <T>(make: (index: number) => T, length = MANY) =>
  Object.fromEntries(many((index) => [`f${index}`, make(index)] as const, length));
const note = (index: number) => ({ type: "note", key: `k${index}`, note: "" });

async function send(method: string, path: string, body: unknown) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const request = new Request(`${BASE}/apps/${service.app}${path}`, { method, headers, body: JSON.stringify(body) });
  const response = await service.stepwell.fetch(request);
  const answer: { errors: { pointer: string; message: string }[]; errors_truncated?: boolean } = await response.json();
  return { status: response.status, ...answer };
}

const DEFINITIONS: Readonly<Record<string, () => object>> = {
  "duplicate keys": () => ({ steps: many(() => note(0)) }),
  "unknown destinations": () => ({ steps: [{ ...note(0), destinations: many((index) => `x${index}`) }] }),
  "input_connected without an input step": () => ({
    steps: many((index) => ({ ...note(index), input_connected: true })),
  }),
  "defaults for unknown fields": () => ({ input_default: named(() => 1), steps: [] }),
  "invalid defaults": () => ({
    input: named(() => ({ type: "string", validation: "url", default: "x" })),
    steps: [],
  }),
  "invalid defaults in input steps": () => ({
    steps: many((index) => ({ type: "input", key: `k${index}`, input: { a: { type: "string", list: ["a"] } } })),
    input_default: { a: "b" },
    input: named(() => ({ type: "string", list: ["a"], default: "b" }), 200),
  }),
  "unknown files": () => ({
    input: { files: { type: "file", array: true } },
    input_default: { files: many((index) => `afile_${index}`) },
    steps: [],
  }),
  "files of another type": () => ({
    input: { files: { type: "file", array: true, allowed_types: many((index) => `image/x${index}`) } },
    input_default: { files: many(() => file) },
    steps: [],
  }),
  "unknown connections": () => ({
    input: { all: { type: "connection", array: true } },
    input_default: { all: many((index) => `con_${index}`) },
    steps: [],
  }),
  "invalid expressions": () => ({
    steps: many((index) => ({ ...note(index), conditional: "1 +" })),
  }),
  "invalid code": () => ({
    steps: many((index) => ({ type: "code", key: `k${index}`, code: `return ${index}` })),
  }),
  "unknown services": () => ({
    steps: many((index) => ({
      type: "service",
      key: `k${index}`,
      service: { service: "x", action: "y", input: {} },
    })),
  }),
  "invalid input of actions": () => ({
    steps: [
      {
        type: "service",
        key: "delay",
        service: { service: "records", action: "create", input: named((index) => `{{ input.x }}${index}`) },
      },
      ...many((index) => ({
        type: "service",
        key: `k${index}`,
        service: { service: "files", action: "read", input: { id: index } },
      })),
    ],
  }),
  "unknown workflows": () => ({
    steps: many((index) => ({ type: "workflow", key: `k${index}`, workflow_id: "work_x", input: null })),
  }),
  "webhooks of another workflow": () => ({
    steps: many((index) => ({
      type: "input",
      key: `k${index}`,
      input: {},
      webhook: { method: "POST", path: "held" },
    })),
  }),
};

describe("POST /validate", () => {
  it.each(Object.entries(DEFINITIONS))("reports 100 of many errors: %s", async (_, definition) => {
    const { status, errors, errors_truncated } = await send("POST", `/workflows/${workflow}/validate`, definition());
    expect(status).toBe(200);
    expect(errors).toHaveLength(MAX_ERRORS);
    expect(errors_truncated).toBe(true);
  });

  it("stops checking code after 100 errors", async () => {
    checks = 0;
    await send("POST", `/workflows/${workflow}/validate`, DEFINITIONS["invalid code"]?.());
    expect(checks).toBeGreaterThan(MAX_ERRORS);
    expect(checks).toBeLessThan(2 * MAX_ERRORS);
  });

  it("reports all errors when there are few", async () => {
    const { errors, errors_truncated } = await send("POST", `/workflows/${workflow}/validate`, {
      steps: [note(0), note(0)],
    });
    expect(errors).toHaveLength(1);
    expect(errors_truncated).toBeUndefined();
  });
});

describe("a workflow with too many steps", () => {
  it.each([
    ["POST", "/workflows", { name: "Large" }],
    ["PUT", () => `/workflows/${workflow}/draft`, {}],
  ])("is rejected with the limit: %s", async (method, path, more) => {
    const at = typeof path === "string" ? path : path();
    const sent = { ...more, steps: many(note, MAX_STEPS + 1) };
    const { status, errors } = await send(method, at, sent);
    expect(status).toBe(422);
    expect(errors).toEqual([
      { pointer: "/steps", message: expect.stringContaining(`Must have at most ${MAX_STEPS} steps`) },
    ]);
    expect((await send(method, at, { ...sent, steps: many(note, MAX_STEPS) })).status).toBeLessThan(300);
  });
});

describe("PATCH /collections/{collection_id}", () => {
  const rule = { name: "R", key: "r", workflow_id: "work_x" };

  it.each<[string, () => object]>([
    ["rules with the same key", () => ({ config: { rules: many(() => rule, 400) } })],
    ["rules with unknown workflows", () => ({ config: { rules: many((key) => ({ ...rule, key: `${key}` }), 400) } })],
    ["unknown triggers", () => ({ triggers: many((id) => ({ id: `${id}`, ...TRIGGER }), 400) })],
    [
      "triggers with unknown connections",
      () => ({ triggers: many((id) => ({ ...TRIGGER, connection_id: `con_${id}` }), 400) }),
    ],
  ])("reports 100 of many errors: %s", async (_, change) => {
    const { status, errors, errors_truncated } = await send("PATCH", `/collections/${collection}`, change());
    expect(status).toBe(422);
    expect(errors).toHaveLength(MAX_ERRORS);
    expect(errors_truncated).toBe(true);
  });
});

const TRIGGER = { type: "x", name: "T", config: { type: "x" } };
