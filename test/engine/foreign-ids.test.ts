/**
 * Steps of one app reach nothing of another: each action of a built-in service answers an id of another app like an unknown
 * one. The schemas of the actions say which fields have ids.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject, JsonValue, Step, Stepwell } from "../../src/index.ts";
import { isRecord } from "../../src/json.ts";
import { createTestService, scriptedModel, type TestService } from "../../src/testing/index.ts";
import { SERVICES } from "../support/http/fill-app.ts";
import { missingLike } from "../support/http/two-apps.ts";

/** Arguments that are no ids. */
const PLAIN: JsonObject = { name: "a.txt", text: "text", data: { a: { b: 1 } }, path: "a:b", value: 1, every: 60 };
/** The same for requests, whose body is a file. */
const HTTP: JsonObject = { url: "https://api.example/" };

let t: TestService;
let other: string;
beforeAll(async () => {
  const models = { scripted: scriptedModel([]) };
  t = await createTestService({
    secret: "s".repeat(40),
    services: SERVICES,
    models,
    http: { "POST https://api.example/": { json: {} } },
  });
  other = (await t.stepwell.apps.create({ name: "Other" })).id;
});
afterAll(() => t.close());

/** One of everything that an action can name. */
async function idsOf({ stepwell }: TestService, app: string): Promise<Readonly<Record<string, JsonValue>>> {
  const { id: collection_id } = await stepwell.collections.create(app, { name: "Loans" });
  const { id: record_id } = await stepwell.records.create(app, collection_id, { data: { a: { b: 1 } } });
  const workflow = await stepwell.workflows.create(app, { name: "Any", steps: [{ type: "note", key: "n", note: "" }] });
  const version = await stepwell.workflows.deploy(app, workflow.id);
  const { id: schedule_id } = await stepwell.schedules.create(app, { workflow_id: workflow.id, every: 3_600 });
  const { id: tag } = await stepwell.tags.create(app, { name: "Tag" });
  const { id: file_id } = await stepwell.files.create(app, { name: "a.txt", body: new TextEncoder().encode("text") });
  const shop = { name: "Shop", service: "shop", credentials: { password: "a password" } };
  const { id: connection_id } = await stepwell.connections.create(app, shop);
  const ids = { collection_id, record_id, schedule_id, file_id, connection_id };
  return { ...ids, workflow_id: workflow.id, version: version.id, tags: [tag] };
}

const isId = (name: string) => /(^|_)ids?$/.test(name) || name === "tags" || name === "version";

type Ids = Awaited<ReturnType<typeof idsOf>>;

/** The arguments of an action, with these ids. */
function argumentsFor(service: string, schema: unknown, ids: Ids): JsonObject {
  const properties = isRecord(schema) && isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const entries = properties.flatMap((name): [string, JsonValue][] => {
    const value = isId(name) ? ids[name] : (service === "http" ? HTTP : PLAIN)[name];
    if (value === undefined && isId(name)) throw new Error(`idsOf has no ${name}. Add one.`);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

async function execute(service: string, action: string, input: JsonObject) {
  const run = await t.run([{ type: "service", key: "act", service: { service, action, input } }]);
  const { status, output, error } = run;
  return { status, output, error };
}

async function everythingOf(stepwell: Stepwell, app: string): Promise<JsonValue> {
  const collections = (await stepwell.collections.list(app)).items;
  const found = [
    collections,
    await Promise.all(collections.map(({ id }) => stepwell.records.list(app, id))),
    await stepwell.schedules.list(app),
    await stepwell.files.list(app),
    await stepwell.tags.list(app),
    await stepwell.runs.list(app),
  ];
  return JSON.parse(JSON.stringify(found));
}

const mask = (value: unknown, id: string): JsonValue => JSON.parse(JSON.stringify(value).replaceAll(id, "ID"));

it("each action answers an id of another app like an unknown one, and changes nothing there", async () => {
  const [own, foreign] = [await idsOf(t, t.app), await idsOf(t, other)];
  const before = await everythingOf(t.stepwell, other);
  let count = 0;
  for (const { name: service, actions } of await t.stepwell.services.list()) {
    for (const { name: action, input: schema } of actions) {
      const given = argumentsFor(service, schema, own);
      for (const field of Object.keys(given).filter(isId)) {
        const [id] = [foreign[field]].flat();
        if (typeof id !== "string") throw new Error(`idsOf has no ${field}`);
        const missing = missingLike(id);
        const argument = (one: string) => (Array.isArray(foreign[field]) ? [one] : one);
        const refused = await execute(service, action, { ...given, [field]: argument(id) });
        const unknown = await execute(service, action, { ...given, [field]: argument(missing) });
        const title = `${service}.${action} ${field}`;
        expect([title, mask(refused, id)]).toEqual([title, mask(unknown, missing)]);
        count++;
      }
    }
  }
  expect(count).toBeGreaterThan(20);
  expect(await everythingOf(t.stepwell, other)).toEqual(before);
});

it("each of these actions succeeds with the ids of its own app", async () => {
  for (const { name: service, actions } of await t.stepwell.services.list()) {
    for (const { name: action, input: schema } of actions) {
      const given = argumentsFor(service, schema, await idsOf(t, t.app));
      if (!Object.keys(given).some(isId)) continue;
      const { status, error } = await execute(service, action, given);
      expect([service, action, status, error]).toEqual([service, action, "succeeded", null]);
    }
  }
});

/** Steps that name a resource by an expression, which deployment cannot check. */
const COMPUTED: readonly (readonly [name: string, step: (ids: Ids) => Step])[] = [
  ["workflow_id", () => ({ type: "workflow", key: "act", workflow_id: "{{ input.id }}", input: {} })],
  [
    "version",
    ({ workflow_id }) => ({
      type: "workflow",
      key: "act",
      workflow_id: String(workflow_id),
      workflow_version_id: "{{ input.id }}",
      input: {},
    }),
  ],
  [
    "connection_id",
    () => ({
      type: "service",
      key: "act",
      service: { service: "shop", action: "large", input: {}, connection_id: "{{ input.id }}" },
    }),
  ],
  [
    "file_id",
    () => ({
      type: "model",
      key: "act",
      provider: {
        provider: "scripted",
        model: "any",
        messages: [{ role: "user", content: [{ type: "file", file_id: "{{ input.id }}" }] }],
      },
    }),
  ],
];

it.each(COMPUTED)("a computed %s of another app fails the run like an unknown one", async (name, step) => {
  const [own, foreign] = [await idsOf(t, t.app), await idsOf(t, other)];
  const outcomeOf = async (id: string) => {
    const start: Step = { type: "input", key: "in", input: { id: { type: "string" } } };
    const { status, error } = await t.run([start, step(own)], { id });
    return mask({ status, error }, id);
  };
  const id = String(foreign[name]);
  const refused = await outcomeOf(id);
  expect(refused).toMatchObject({ status: "failed", error: { message: expect.stringContaining("ID") } });
  expect(refused).toEqual(await outcomeOf(missingLike(id)));
});
