/** Collections. */
import fc from "fast-check";
import * as v from "valibot";
import { expect, it } from "vitest";
import { defineTrigger, type InputField } from "../../src/index.ts";
import {
  BASE,
  type CallApi,
  createTestHost,
  describeEachTransport,
  type Refusal,
  type TestHost,
} from "../support/http/transports.ts";

const RULE_FIELDS = {
  name: "Amount is plausible",
  key: "amount",
  on_success: "PASS",
  on_fail: "FAIL",
  workflow_use_latest: false,
  execution_order: "before-all",
  step_key: "start",
  workflow_input_default: { limit: 10, nested: { constructor: ["kept"] }, nothing: null },
  disabled: true,
};
/** A rule with a workflow of the app that was deployed once. */
async function ruleOf(host: TestHost, app: { id: string }) {
  const { id: workflow_id } = await host.stepwell.workflows.create(app.id, { name: "Rule", steps: [] });
  const { id: workflow_version_id } = await host.stepwell.workflows.deploy(app.id, workflow_id);
  return { ...RULE_FIELDS, workflow_id, workflow_version_id };
}

const MAPPING = { source_path: "loan:amount", destination_paths: ["summary:amount", "letter:total sum"] };
const TRIGGER = {
  type: "loan_origination",
  name: "New loans",
  config: {
    type: "loan_origination",
    mappings: [{ type: "field", entity_path: "loan:amount", input_path: ["fields", "1109"], name: "Amount" }],
    pull_on_millestones: ["Submittal"],
    pull_on_folders: ["Active", "Archive"],
  },
  enabled: false,
};
/** Options with a trigger type that needs a connection. */
const CONNECTED = {
  secret: "a-secret-of-the-tests-with-32-characters-or-more",
  triggers: [
    defineTrigger({ name: "lender", config: v.object({}), connection: v.object({}), receive: () => [] }),
    defineTrigger({ name: "other", config: v.object({}), connection: v.object({}), receive: () => [] }),
  ],
};
const CONNECTED_TRIGGER = { ...TRIGGER, type: "lender", config: { ...TRIGGER.config, type: "lender" } };
const ACCOUNT = { name: "Lender", service: "lender", credentials: {} };
const DATE = /^\d{4}-\d\d-\d\d$/;
const date = expect.stringMatching(DATE);
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-z]{26}$`));

const names = ({ items }: { items: { name: string }[] }) => items.map((item) => item.name);

async function refusal(call: Promise<unknown>): Promise<string[]> {
  const error = await call.then(
    () => undefined,
    (reason: Refusal) => reason,
  );
  if (error === undefined) return [];
  return [`${error.status} ${error.code}`, ...error.errors.map((one) => `${one.in ?? "body"} ${one.pointer}`)];
}

/** The response to a request without a key. */
async function withoutKey({ stepwell }: TestHost, path: string) {
  const response = await stepwell.fetch(new Request(`${BASE}${path}`));
  return { status: response.status, body: response.status === 200 ? await response.json() : undefined };
}

async function tagged(callApi: CallApi, appId: string, tagIds: readonly string[], name: string) {
  return callApi("collections.create", appId, { name, tags: tagIds });
}

describeEachTransport("collections", (open) => {
  it("creates a collection with every documented field and returns it unchanged", async () => {
    const host = open(CONNECTED);
    const { callApi } = host;
    const app = await host.app("Lending");
    const { id: connection_id } = await callApi("connections.create", app.id, ACCOUNT);
    const RULE = await ruleOf(host, app);
    const tag = await callApi("tags.create", app.id, { name: "Urgent", color: "#f00" });
    const given = {
      name: "Loans",
      description: "All of 2026 \u{1F40B}",
      visibility: "PUBLIC",
      tags: [tag.id],
      config: { rules: [RULE], mappings: [MAPPING], indexes: ["loan:amount"] },
      triggers: [{ ...CONNECTED_TRIGGER, connection_id }],
    };
    const collection = await callApi("collections.create", app.id, given);
    expect(collection).toEqual({
      id: id("coll"),
      name: "Loans",
      description: "All of 2026 \u{1F40B}",
      app: { id: app.id, name: "Lending", verified: false },
      visibility: "PUBLIC",
      config: {
        id: id("conf"),
        rules: [RULE],
        mappings: [MAPPING],
        indexes: ["loan:amount"],
        index_states: [{ path: "loan:amount", state: "ready" }],
        created_at: date,
        updated_at: date,
      },
      tags: [tag],
      records_count: 0,
      deleted: false,
      revision: 1,
      triggers: [
        {
          ...CONNECTED_TRIGGER,
          connection_id,
          id: id("trig"),
          collection_id: collection.id,
          created_at: date,
          updated_at: date,
        },
      ],
      created_at: date,
      updated_at: date,
      link: `${BASE}/console/apps/${app.id}/collections/${collection.id}`,
    });
    expect(await callApi("collections.get", app.id, collection.id)).toEqual(collection);
    expect((await callApi("collections.list", app.id)).items).toEqual([collection]);
  });

  it("creates a collection from a name alone", async () => {
    const host = open();
    const app = await host.app();
    expect(await host.callApi("collections.create", app.id, { name: "  Loans " })).toMatchObject({
      name: "Loans",
      description: "",
      visibility: "PRIVATE",
      config: { rules: [], mappings: [] },
      tags: [],
      triggers: [],
    });
  });

  it("fills in the defaults of rules and triggers", async () => {
    const host = open();
    const app = await host.app();
    const { workflow_id, workflow_version_id } = await ruleOf(host, app);
    const collection = await host.callApi("collections.create", app.id, {
      name: "Loans",
      config: {
        rules: [
          { name: "Newest", key: "newest", workflow_id },
          { name: "Fixed", key: "fixed", workflow_id, workflow_version_id },
        ],
      },
      triggers: [
        { type: "webhook", name: "New loans", config: { type: "webhook", mappings: TRIGGER.config.mappings } },
      ],
    });
    const left = {
      on_success: "PASS",
      on_fail: "WARN",
      execution_order: "default",
      workflow_input_default: {},
      disabled: false,
    };
    expect(collection.config.rules).toEqual([
      { name: "Newest", key: "newest", workflow_id, workflow_use_latest: true, ...left },
      {
        name: "Fixed",
        key: "fixed",
        workflow_id,
        workflow_version_id,
        workflow_use_latest: false,
        ...left,
      },
    ]);
    expect(collection.triggers).toMatchObject([
      { enabled: true, config: { type: "webhook", pull_on_millestones: [], pull_on_folders: [] } },
    ]);
  });

  it("updates single fields, and replaces lists that are given", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const RULE = await ruleOf(host, app);
    const tag = await callApi("tags.create", app.id, { name: "Urgent" });
    const first = await callApi("collections.create", app.id, {
      name: "Loans",
      description: "Old",
      tags: [tag.id],
      config: { rules: [RULE], mappings: [MAPPING] },
      triggers: [TRIGGER, { ...TRIGGER, name: "Second" }],
    });
    const renamed = await callApi("collections.update", app.id, first.id, { name: "Leases" });
    expect(renamed).toEqual({ ...first, name: "Leases", revision: 2, updated_at: date });

    const unmapped = await callApi("collections.update", app.id, first.id, { config: { mappings: [] } });
    expect(unmapped.config).toEqual({ ...first.config, mappings: [] });

    const [kept] = first.triggers;
    const { triggers } = await callApi("collections.update", app.id, first.id, {
      triggers: [
        { ...TRIGGER, name: "New" },
        { ...TRIGGER, id: kept.id, enabled: true },
      ],
    });
    expect(triggers).toEqual([
      { ...kept, id: id("trig"), name: "New" },
      { ...kept, enabled: true },
    ]);
    expect(first.triggers.map((trigger: { id: string }) => trigger.id)).not.toContain(triggers[0].id);

    const bare = await callApi("collections.update", app.id, first.id, {
      tags: [],
      triggers: [],
      visibility: "PUBLIC",
    });
    expect(bare).toMatchObject({ name: "Leases", description: "Old", tags: [], triggers: [], visibility: "PUBLIC" });
    expect(await callApi("collections.get", app.id, first.id)).toEqual(bare);
  });

  it("searches and filters by the current name and visibility", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const collection = await callApi("collections.create", app.id, { name: "Loans" });
    await callApi("collections.update", app.id, collection.id, { name: "Leases", visibility: "PUBLIC" });
    expect(names(await callApi("collections.list", app.id, { search: "loans" }))).toEqual([]);
    expect(names(await callApi("collections.list", app.id, { search: "leases" }))).toEqual(["Leases"]);
    expect(names(await callApi("collections.list", app.id, { visibility: "PRIVATE" }))).toEqual([]);
  });

  it("shows the current name and verification of the app", async () => {
    const host = open();
    const app = await host.app("Lending");
    const collection = await host.callApi("collections.create", app.id, { name: "Loans" });
    await host.callApi("collections.get", app.id, collection.id);
    await host.stepwell.apps.update(app.id, { name: "Leasing", verified: true });
    const now = { id: app.id, name: "Leasing", verified: true };
    expect((await host.callApi("collections.get", app.id, collection.id)).app).toEqual(now);
    expect((await host.callApi("collections.list", app.id)).items[0].app).toEqual(now);
  });

  it("dates the creation and last update of a collection, its config and its triggers", async () => {
    let now = Date.parse("2026-02-27T23:59:59.999Z");
    const host = open({ clock: { now: () => now, after: () => () => undefined } });
    const { callApi } = host;
    const app = await host.app();
    const RULE = await ruleOf(host, app);
    const { id: collectionId, triggers } = await callApi("collections.create", app.id, {
      name: "x",
      triggers: [TRIGGER],
    });
    const days = async () => {
      const collection = await callApi("collections.get", app.id, collectionId);
      const parts = [collection, collection.config, ...collection.triggers];
      return parts.map(({ created_at, updated_at }) => `${created_at} ${updated_at}`);
    };
    const [first, second, third] = ["2026-02-27", "2026-02-28", "2026-03-01"];
    expect(await days()).toEqual(Array(3).fill(`${first} ${first}`));
    now += 1;
    await callApi("collections.update", app.id, collectionId, { config: { rules: [RULE] } });
    expect(await days()).toEqual([`${first} ${second}`, `${first} ${second}`, `${first} ${first}`]);
    now += 24 * 60 * 60 * 1_000;
    await callApi("collections.update", app.id, collectionId, {
      triggers: [{ ...TRIGGER, id: triggers[0].id }, TRIGGER],
    });
    expect(await days()).toEqual([`${first} ${third}`, `${first} ${second}`, `${first} ${third}`, `${third} ${third}`]);
  });

  it("keeps all changes of concurrent updates", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const RULE = await ruleOf(host, app);
    const { id: collectionId } = await callApi("collections.create", app.id, { name: "Loans" });
    await Promise.all([
      callApi("collections.update", app.id, collectionId, { name: "Leases" }),
      callApi("collections.update", app.id, collectionId, { description: "New" }),
      callApi("collections.update", app.id, collectionId, { config: { rules: [RULE] } }),
      callApi("collections.update", app.id, collectionId, { config: { mappings: [MAPPING] } }),
    ]);
    expect(await callApi("collections.get", app.id, collectionId)).toMatchObject({
      name: "Leases",
      description: "New",
      config: { rules: [RULE], mappings: [MAPPING] },
    });
  });

  it("accepts rules only with workflows and versions of the same app, deployed or not", async () => {
    const host = open();
    const { callApi, stepwell } = host;
    const [app, other] = [await host.app(), await host.app("Other")];
    const RULE = await ruleOf(host, app);
    const [second, foreign] = [await ruleOf(host, app), await ruleOf(host, other)];
    const { id: draft } = await stepwell.workflows.create(app.id, { name: "Draft" });
    const { workflow_version_id: _, workflow_use_latest: __, ...latest } = RULE;
    const collection = await callApi("collections.create", app.id, { name: "Loans" });
    /** The errors of these changes to a rule that follows a valid one; the same for a new collection. */
    const wrong = async (more: object, base: object = RULE) => {
      const config = {
        rules: [
          { ...RULE, key: "right" },
          { ...base, ...more },
        ],
      };
      const create = await refusal(callApi("collections.create", app.id, { name: "Loans", config }));
      expect(await refusal(callApi("collections.update", app.id, collection.id, { config }))).toEqual(create);
      return create.map((text) => text.replace("body /config/rules/1/", ""));
    };

    expect(await wrong({ workflow_id: draft }, latest)).toEqual([]);
    expect(await wrong({ workflow_id: "work_gone" })).toEqual(["422 invalid", "workflow_id"]);
    expect(await wrong({ workflow_id: "work_gone", disabled: true }, latest)).toEqual(["422 invalid", "workflow_id"]);
    expect(await wrong({ workflow_id: foreign.workflow_id }, latest)).toEqual(["422 invalid", "workflow_id"]);
    const version = (workflow_version_id: string) => wrong({ workflow_version_id });
    expect(await version(second.workflow_version_id)).toEqual(["422 invalid", "workflow_version_id"]);
    expect(await version(foreign.workflow_version_id)).toEqual(["422 invalid", "workflow_version_id"]);
    expect(await version("workv_gone")).toEqual(["422 invalid", "workflow_version_id"]);
    const both = { config: { rules: [{ ...RULE, workflow_id: "work_gone" }] }, tags: ["tag_gone"] };
    expect(await refusal(callApi("collections.update", app.id, collection.id, both))).toEqual([
      "422 invalid",
      "body /tags/0",
      "body /config/rules/0/workflow_id",
    ]);
  });

  it("checks the workflow_input_default of a rule against the input of its workflow", async () => {
    const host = open();
    const { callApi, stepwell } = host;
    const app = await host.app();
    const record = {
      type: "object",
      fields: { data: { type: "object", fields: {} } },
      additional_fields: true,
    } as const;
    const level: InputField = { type: "select", options: [{ value: "low" }, { value: "high" }] };
    const { id: workflow_id } = await stepwell.workflows.create(app.id, {
      name: "Rule",
      input: { record, limit: { type: "number", default: 5 }, fixed: { type: "number", config: true, default: 1 } },
      steps: [
        { type: "input", key: "a", input: {} },
        {
          type: "input",
          key: "b",
          input: { level, limit: { type: "number" }, paper: { type: "file", optional: true } },
        },
      ],
    });
    const first = await stepwell.workflows.deploy(app.id, workflow_id);
    const rule = { name: "Limit", key: "limit", workflow_id };
    const wrong = (more: object) =>
      refusal(callApi("collections.create", app.id, { name: "Loans", config: { rules: [{ ...rule, ...more }] } }));
    const rejected = (...pointers: string[]) => ["422 invalid", ...pointers.map((at) => `body /config/rules/0/${at}`)];
    const give = (workflow_input_default: object, more: object = {}) => wrong({ workflow_input_default, ...more });
    const inB = { step_key: "b" };

    expect(await give({ limit: 7 })).toEqual([]);
    expect(await give({ limit: 7, level: "low" }, inB)).toEqual([]);
    expect(await give({ limit: "many" })).toEqual(rejected("workflow_input_default/limit"));
    expect(await give({ limti: 7, fixed: 2 })).toEqual(
      rejected("workflow_input_default/fixed", "workflow_input_default/limti"),
    );
    expect(await give({ limit: 7, level: "medium" }, inB)).toEqual(rejected("workflow_input_default/level"));
    expect(await give({ level: "low" }, inB)).toEqual(rejected("workflow_input_default/limit"));
    expect(await give({ level: "low", limit: 1, paper: "afile_gone" }, inB)).toEqual(
      rejected("workflow_input_default/paper"),
    );
    expect(await wrong({ step_key: "c" })).toEqual(rejected("step_key"));
    expect(await give({ limit: "many" }, { disabled: true })).toEqual([]);

    // The latest version accepts no record: it is checked, not the first one.
    await stepwell.workflows.putDraft(app.id, workflow_id, { input: { limit: { type: "number" } } });
    await stepwell.workflows.deploy(app.id, workflow_id);
    expect(await give({ limit: 7 })).toEqual(rejected("workflow_id"));
    await expect(stepwell.collections.create(app.id, { name: "Loans", config: { rules: [rule] } })).rejects.toThrow(
      'Use an input step with input: {}, or with the field record: { type: "object", fields: {}, ',
    );
    for (const accepted of [undefined, true, ["data"]]) {
      const open = accepted === undefined ? {} : { additional_fields: accepted };
      await stepwell.workflows.putDraft(app.id, workflow_id, {
        input: { record: { type: "object", fields: {}, ...open } },
        steps: [{ type: "input", key: "a", input: { record: { type: "object", fields: {}, ...open } } }],
      });
      await stepwell.workflows.deploy(app.id, workflow_id);
      expect(await give({})).toEqual(accepted === true ? [] : rejected("workflow_id"));
    }
    expect(await give({ limit: 7 }, { workflow_version_id: first.id })).toEqual([]);
  });

  it("accepts triggers only with connections of the same app", async () => {
    const host = open(CONNECTED);
    const { callApi } = host;
    const [app, other] = [await host.app(), await host.app("Other")];
    const [ours, theirs] = await Promise.all([app, other].map(({ id }) => callApi("connections.create", id, ACCOUNT)));
    const collection = await callApi("collections.create", app.id, { name: "Loans" });
    const wrong = async (connection_id: string) => {
      const triggers = [TRIGGER, { ...CONNECTED_TRIGGER, connection_id }];
      const create = await refusal(callApi("collections.create", app.id, { name: "Loans", triggers }));
      expect(await refusal(callApi("collections.update", app.id, collection.id, { triggers }))).toEqual(create);
      return create;
    };
    const rejected = ["422 invalid", "body /triggers/1/connection_id"];
    expect(await wrong(ours.id)).toEqual([]);
    expect(await wrong(theirs.id)).toEqual(rejected);
    expect(await wrong("con_01abc")).toEqual(rejected);
    const elsewhere = await callApi("connections.create", app.id, { ...ACCOUNT, service: "other" });
    expect(await wrong(elsewhere.id)).toEqual(rejected);
    const create = (trigger: object) =>
      refusal(callApi("collections.create", app.id, { name: "x", triggers: [trigger] }));
    expect(await create(CONNECTED_TRIGGER)).toEqual(["422 invalid", "body /triggers/0/connection_id"]);
    const connected = { ...CONNECTED_TRIGGER, connection_id: ours.id };
    expect(await create({ ...connected, config: { ...connected.config, interval: 60 } })).toEqual([
      "422 invalid",
      "body /triggers/0/config/interval",
    ]);
    expect(await create({ ...TRIGGER, connection_id: ours.id })).toEqual([
      "422 invalid",
      "body /triggers/0/connection_id",
    ]);
  });

  it("rejects invalid fields of collections, rules, mappings and triggers with a pointer", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const RULE = await ruleOf(host, app);
    const create = (more: object) => refusal(callApi("collections.create", app.id, { name: "Loans", ...more }));
    const rule = (more: object) => create({ config: { rules: [{ ...RULE, ...more }] } });
    const mapping = (more: object) => create({ config: { mappings: [{ ...MAPPING, ...more }] } });
    const trigger = (more: object) => create({ triggers: [{ ...TRIGGER, ...more }] });
    const at = (...pointers: string[]) => ["422 invalid", ...pointers.map((pointer) => `body ${pointer}`)];

    expect(await create({})).toEqual([]);
    expect(await create({ name: " " })).toEqual(at("/name"));
    expect(await create({ name: "x".repeat(256) })).toEqual([]);
    expect(await create({ name: "x".repeat(257) })).toEqual(at("/name"));
    expect(await create({ description: "x".repeat(10_240) })).toEqual([]);
    expect(await create({ description: "x".repeat(10_241) })).toEqual(at("/description"));
    expect(await create({ visibility: "public" })).toEqual(at("/visibility"));
    for (const unknown of ["nmae", "id", "deleted", "records_count", "app", "toString"]) {
      expect(await create({ [unknown]: "x" })).toEqual(at(`/${unknown}`));
    }
    expect(await create({ config: [] })).toEqual(at("/config"));
    expect(await create({ config: { id: "conf_1" } })).toEqual(at("/config/id"));
    expect(await create({ tags: "tag_1" })).toEqual(at("/tags"));
    expect(await create({ triggers: {} })).toEqual(at("/triggers"));

    expect(await rule({})).toEqual([]);
    expect(await rule({ on_fail: "MAYBE" })).toEqual(at("/config/rules/0/on_fail"));
    expect(await rule({ on_success: "pass" })).toEqual(at("/config/rules/0/on_success"));
    expect(await rule({ execution_order: "first" })).toEqual(at("/config/rules/0/execution_order"));
    expect(await rule({ workflow_id: "workv_1" })).toEqual(at("/config/rules/0/workflow_id"));
    expect(await rule({ workflow_version_id: "1" })).toEqual(at("/config/rules/0/workflow_version_id"));
    expect(await rule({ workflow_version_id: undefined })).toEqual(at("/config/rules/0/workflow_version_id"));
    expect(await rule({ workflow_input_default: [] })).toEqual(at("/config/rules/0/workflow_input_default"));
    expect(await rule({ key: "" })).toEqual(at("/config/rules/0/key"));
    expect(await rule({ key: "x".repeat(128) })).toEqual([]);
    expect(await rule({ key: "x".repeat(129) })).toEqual(at("/config/rules/0/key"));
    expect(await rule({ disabled: "no" })).toEqual(at("/config/rules/0/disabled"));
    expect(await rule({ toString: 1 })).toEqual(at("/config/rules/0/toString"));
    expect(await create({ config: { rules: [RULE, { ...RULE, key: "b" }, RULE] } })).toEqual(at("/config/rules/2/key"));

    for (const path of [
      "loan",
      "loan:",
      ":amount",
      "a:b:c",
      "",
      ":",
      " loan:amount",
      "loan: amount",
      "loan:__proto__",
      7,
    ]) {
      expect(await mapping({ source_path: path }), String(path)).toEqual(at("/config/mappings/0/source_path"));
      expect(await mapping({ destination_paths: ["a:b", path] }), String(path)).toEqual(
        at("/config/mappings/0/destination_paths/1"),
      );
    }
    expect(await mapping({ destination_paths: "a:b" })).toEqual(at("/config/mappings/0/destination_paths"));

    expect(await trigger({ id: "trig_1" })).toEqual(at("/triggers/0/id"));
    expect(await trigger({ connection_id: "conf_1" })).toEqual(at("/triggers/0/connection_id"));
    expect(await trigger({ type: "unknown" })).toEqual(at("/triggers/0/type"));
    expect(await trigger({ config: { ...TRIGGER.config, type: "webhook" } })).toEqual(at("/triggers/0/config/type"));
    expect(await trigger({ enabled: true, config: { type: TRIGGER.type } })).toEqual(at("/triggers/0/config/mappings"));
    const key = { type: "key", entity_path: "loan:number", input_path: ["id"], name: "Number" };
    expect(await trigger({ config: { ...TRIGGER.config, mappings: [key] } })).toEqual([]);
    expect(await trigger({ config: { ...TRIGGER.config, mappings: [key, key] } })).toEqual(
      at("/triggers/0/config/mappings/1/type"),
    );
    const webhook = { ...TRIGGER.config, type: "webhook", id_path: [] };
    expect(await trigger({ type: "webhook", config: webhook })).toEqual(at("/triggers/0/config/id_path"));
    for (const [field, value] of Object.entries({ entity_path: "amount", input_path: [] })) {
      const mappings = [{ ...key, [field]: value }];
      expect(await trigger({ config: { ...TRIGGER.config, mappings } })).toEqual(
        at(`/triggers/0/config/mappings/0/${field}`),
      );
    }
    expect(await trigger({ config: { ...TRIGGER.config, pull_on_milestones: [] } })).toEqual(
      at("/triggers/0/config/pull_on_milestones"),
    );
    expect(await trigger({ config: { ...TRIGGER.config, pull_on_folders: ["a", 1] } })).toEqual(
      at("/triggers/0/config/pull_on_folders/1"),
    );
    expect(await trigger({ config: { ...TRIGGER.config, mappings: [{ type: "field" }] } })).toEqual(
      at(...["entity_path", "input_path", "name"].map((name) => `/triggers/0/config/mappings/0/${name}`)),
    );
  });

  it("rejects an invalid update with a pointer and leaves the collection unchanged", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const collection = await callApi("collections.create", app.id, { name: "Loans", triggers: [TRIGGER] });
    const other = await callApi("collections.create", app.id, { name: "Leases", triggers: [TRIGGER] });
    const update = (input: object) => refusal(callApi("collections.update", app.id, collection.id, input));
    const trigger = { ...TRIGGER, id: collection.triggers[0].id };
    const foreign = { ...TRIGGER, id: other.triggers[0].id };
    expect(await update({ name: "" })).toEqual(["422 invalid", "body /name"]);
    expect(await update({ name: null })).toEqual(["422 invalid", "body /name"]);
    expect(await update({ deleted: true })).toEqual(["422 invalid", "body /deleted"]);
    expect(await update({ triggers: [trigger, trigger] })).toEqual(["422 invalid", "body /triggers/1/id"]);
    expect(await update({ tags: ["tag_1"], triggers: [trigger, foreign] })).toEqual([
      "422 invalid",
      "body /tags/0",
      "body /triggers/1/id",
    ]);
    expect(await callApi("collections.get", app.id, collection.id)).toEqual(collection);
  });

  it("accepts only tags of the same app and removes duplicates", async () => {
    const host = open();
    const { callApi } = host;
    const [app, other] = [await host.app(), await host.app("Other")];
    const own = await callApi("tags.create", app.id, { name: "Urgent" });
    const foreign = await callApi("tags.create", other.id, { name: "Urgent" });
    const removed = await callApi("tags.create", app.id, { name: "Gone" });
    await callApi("tags.remove", app.id, removed.id);
    const wrong = [own.id, foreign.id, "tag_unknown", removed.id, "", "../../x", "__proto__"];
    expect(await refusal(callApi("collections.create", app.id, { name: "Loans", tags: wrong }))).toEqual([
      "422 invalid",
      ...[1, 2, 3, 4, 5, 6].map((index) => `body /tags/${index}`),
    ]);
    expect((await callApi("collections.list", app.id)).items).toEqual([]);

    const collection = await tagged(callApi, app.id, [own.id, own.id], "Loans");
    expect(collection.tags).toEqual([own]);
    expect(await refusal(callApi("collections.update", app.id, collection.id, { tags: wrong.slice(0, 2) }))).toEqual([
      "422 invalid",
      "body /tags/1",
    ]);
    const crowd = Array.from({ length: 101 }, () => own.id);
    expect(await refusal(callApi("collections.update", app.id, collection.id, { tags: crowd }))).toEqual([
      "422 invalid",
      "body /tags",
    ]);
  });

  it("answers 404 for unknown collections and those of another app", async () => {
    const host = open();
    const { callApi } = host;
    const [app, other] = [await host.app(), await host.app("Other")];
    const collection = await callApi("collections.create", app.id, { name: "Loans" });
    for (const [appId, collectionId] of [
      [other.id, collection.id],
      [app.id, "coll_unknown"],
      [app.id, app.id],
      [app.id, collection.config.id],
      [app.id, "x".repeat(200)],
    ]) {
      expect(await refusal(callApi("collections.get", appId, collectionId))).toEqual(["404 not_found"]);
      expect(await refusal(callApi("collections.update", appId, collectionId, { name: "x" }))).toEqual([
        "404 not_found",
      ]);
      expect(await refusal(callApi("collections.remove", appId, collectionId))).toEqual(["404 not_found"]);
    }
    expect((await callApi("collections.list", other.id)).items).toEqual([]);
    expect(await callApi("collections.get", app.id, collection.id)).toEqual(collection);
  });
});

it("creates one collection when POST /collections repeats an Idempotency-Key", async () => {
  const host = createTestHost(true);
  const app = await host.app();
  const create = async () => {
    const headers = { authorization: `Bearer ${app.key}`, "content-type": "application/json", "idempotency-key": "k1" };
    const init = { method: "POST", headers, body: JSON.stringify({ name: "Loans" }) };
    const response = await host.stepwell.fetch(new Request(`${BASE}/apps/${app.id}/collections`, init));
    return { status: response.status, location: response.headers.get("location"), body: await response.json() };
  };
  const first = await create();
  expect(first).toMatchObject({ status: 201, location: `${BASE}/apps/${app.id}/collections/${first.body.id}` });
  expect(await create()).toEqual(first);
  expect((await host.callApi("collections.list", app.id)).items).toEqual([first.body]);
});

describeEachTransport("deleted collections", (open) => {
  it("lists them with deleted=true only, still returns them, and rejects changes", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const tag = await callApi("tags.create", app.id, { name: "Urgent" });
    const first = await tagged(callApi, app.id, [tag.id], "Loans");
    const second = await tagged(callApi, app.id, [tag.id], "Leases");
    await callApi("collections.remove", app.id, first.id);
    const deleted = { ...first, deleted: true, revision: 2, updated_at: date };

    expect(await callApi("collections.list", app.id)).toMatchObject({ items: [second], total: 1 });
    expect(await callApi("collections.list", app.id, { deleted: false })).toMatchObject({ items: [second] });
    expect(await callApi("collections.list", app.id, { deleted: true })).toMatchObject({ items: [deleted], total: 1 });
    expect(names(await callApi("collections.list", app.id, { deleted: true, search: "lo", tags: [tag.id] }))).toEqual([
      "Loans",
    ]);
    expect(names(await callApi("collections.list", app.id, { search: "loans" }))).toEqual([]);
    expect(await callApi("collections.get", app.id, first.id)).toEqual(deleted);

    expect(await refusal(callApi("collections.update", app.id, first.id, { name: "x" }))).toEqual(["404 not_found"]);
    expect(await refusal(callApi("collections.remove", app.id, first.id))).toEqual(["404 not_found"]);
    expect(await callApi("collections.get", app.id, first.id)).toEqual(deleted);
  });

  it("lets exactly one of several concurrent deletions succeed", async () => {
    const host = open();
    const app = await host.app();
    const { id: collectionId } = await host.callApi("collections.create", app.id, { name: "Loans" });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => refusal(host.callApi("collections.remove", app.id, collectionId))),
    );
    expect(outcomes.filter((outcome) => outcome.length === 0)).toHaveLength(1);
    expect((await host.callApi("collections.list", app.id, { deleted: true })).items).toHaveLength(1);
  });

  it("hides them from requests without a key, even if they were PUBLIC", async () => {
    const host = open();
    const app = await host.app();
    const { id: collectionId } = await host.callApi("collections.create", app.id, {
      name: "Loans",
      visibility: "PUBLIC",
    });
    await host.callApi("collections.remove", app.id, collectionId);
    expect(await withoutKey(host, `/apps/${app.id}/collections`)).toEqual({ status: 200, body: [] });
    expect(await withoutKey(host, `/apps/${app.id}/collections?deleted=true`)).toEqual({ status: 200, body: [] });
    expect(await withoutKey(host, `/apps/${app.id}/collections/${collectionId}`)).toMatchObject({ status: 404 });
    expect((await host.callApi("collections.list", app.id, { deleted: true })).items).toHaveLength(1);
  });
});

describeEachTransport("listing collections", (open) => {
  async function filled(host: TestHost, given: readonly object[]) {
    const app = await host.app();
    for (const one of given) await host.callApi("collections.create", app.id, one);
    return { app, list: (query?: object) => host.callApi("collections.list", app.id, query) };
  }

  it("returns pages, newest first", async () => {
    const given = Array.from({ length: 7 }, (_, index) => ({ name: `Number ${index}` }));
    const { list } = await filled(open(), given);
    const all = given.map(({ name }) => name).reverse();
    expect(await list()).toMatchObject({ total: 7, more: false });
    expect(names(await list())).toEqual(all);
    expect(await list({ take: 3 })).toMatchObject({ total: 7, more: true });
    expect(names(await list({ take: 3 }))).toEqual(all.slice(0, 3));
    expect(names(await list({ take: 3, page: 2 }))).toEqual(all.slice(3, 6));
    expect(names(await list({ take: 3, page: 3 }))).toEqual(all.slice(6));
    expect(await list({ take: 3, page: 3 })).toMatchObject({ more: false });
    expect(await list({ take: 3, page: 4 })).toMatchObject({ items: [], total: 7, more: false });
    expect(await list({ take: 7 })).toMatchObject({ more: false });
  });

  it("defaults to 100 items and page 1", async () => {
    const { list } = await filled(
      open(),
      Array.from({ length: 101 }, (_, index) => ({ name: `Number ${index}` })),
    );
    const page = await list();
    expect(page.items).toHaveLength(100);
    expect(page).toMatchObject({ more: true, total: 101 });
    expect(names(await list({ page: 2 }))).toEqual(["Number 0"]);
    expect((await list({ take: 1_000 })).items).toHaveLength(101);
  });

  it("rejects invalid pages, more than 20 tags and unknown parameters", async () => {
    const { list } = await filled(open(), []);
    const at = (...names: string[]) => ["422 invalid", ...names.map((name) => `query ${name}`)];
    for (const page of [0, -1, 1.5, 1e9, "x"])
      expect(await refusal(list({ page })), `page ${page}`).toEqual(at("/page"));
    for (const take of [0, -1, 1_001, 1.5]) expect(await refusal(list({ take })), `take ${take}`).toEqual(at("/take"));
    expect(await refusal(list({ visibility: "HIDDEN" }))).toEqual(at("/visibility"));
    expect(await refusal(list({ deleted: "maybe" }))).toEqual(at("/deleted"));
    expect(await refusal(list({ serach: "x" }))).toEqual(at("/serach"));
    expect(await refusal(list({ page_token: "x" }))).toEqual(at("/page_token"));
    expect(await refusal(list({ search: "x".repeat(1_024) }))).toEqual([]);
    expect(await refusal(list({ search: "x".repeat(1_025) }))).toEqual(at("/search"));
    const tags = Array.from({ length: 21 }, (_, index) => `tag_${index}`);
    expect(await refusal(list({ tags: tags.slice(1) }))).toEqual([]);
    expect(await refusal(list({ tags }))).toEqual(at("/tags"));
    expect(await refusal(list({ tags: tags.slice(1).join(",") }))).toEqual([]);
    expect(await refusal(list({ tags: tags.join(",") }))).toEqual(at("/tags"));
  });

  it("searches names and descriptions, ignoring case, accents and white space", async () => {
    const { list } = await filled(open(), [
      { name: "Crédit\u00a0Agricole", description: "Prêts" },
      { name: "Leases", description: "of  cars\nand ÉCLAIRS" },
      { name: "(a+)+$" },
    ]);
    const found = async (search: string) => names(await list({ search }));
    for (const search of ["credit", "CRÉDIT", "cre\u0301dit", "credit  agricole", " prets ", "dit a"]) {
      expect(await found(search), search).toEqual(["Crédit\u00a0Agricole"]);
    }
    for (const search of ["eclair", "cars and", "LEASES"]) expect(await found(search), search).toEqual(["Leases"]);
    expect(await found("(a+)+$")).toEqual(["(a+)+$"]);
    for (const search of ["(a+)+", "+$"]) expect(await found(search), search).toHaveLength(1);
    for (const search of ["submarine", "leases of", ".*", "%", "\u0000"])
      expect(await found(search), search).toEqual([]);
    for (const search of ["", "  "]) expect(await found(search), search).toHaveLength(3);
    expect(await list({ search: "e" })).not.toHaveProperty("total");
  });

  it("finds a collection by any part of its name", async () => {
    const host = open();
    const { app, list } = await filled(host, []);
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
        fc.nat(),
        fc.nat(),
        async (name, from, to) => {
          fc.pre(name.trim() !== "");
          const { id: collectionId } = await host.callApi("collections.create", app.id, { name });
          const characters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
          const start = from % characters.length;
          const search = characters.slice(start, start + 1 + (to % (characters.length - start))).join("");
          const { items } = await list({ search, take: 1_000 });
          expect(items.map((item: { id: string }) => item.id)).toContain(collectionId);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("filters by any of up to 20 tags", async () => {
    const host = open();
    const { callApi } = host;
    const { app, list } = await filled(host, [{ name: "None" }]);
    const tags: string[] = [];
    for (let index = 0; index < 20; index++) {
      tags.push((await callApi("tags.create", app.id, { name: `Tag ${index}` })).id);
    }
    const [a = "", b = "", c = ""] = tags;
    await tagged(callApi, app.id, [a], "A");
    await tagged(callApi, app.id, [a, b], "AB");
    await tagged(callApi, app.id, [b, c], "BC");
    expect(await list({ tags: [a] })).toMatchObject({ total: 2 });
    expect(names(await list({ tags: [a] }))).toEqual(["AB", "A"]);
    expect(names(await list({ tags: a }))).toEqual(["AB", "A"]);
    expect(names(await list({ tags: [a, c] }))).toEqual(["BC", "AB", "A"]);
    expect(names(await list({ tags: `${a},${c}` }))).toEqual(["BC", "AB", "A"]);
    expect(names(await list({ tags }))).toEqual(["BC", "AB", "A"]);
    expect(names(await list({ tags: [a, a, "tag_unknown"] }))).toEqual(["AB", "A"]);
    expect(await list({ tags: ["tag_unknown"] })).toMatchObject({ items: [], total: 0 });
    expect(names(await list({ tags: "" }))).toEqual(["BC", "AB", "A", "None"]);
    expect(names(await list({ tags: [b], search: "a" }))).toEqual(["AB"]);

    await callApi("tags.remove", app.id, a);
    expect(names(await list({ tags: [a] }))).toEqual([]);
    expect(names(await list({ tags: [a, b] }))).toEqual(["BC", "AB"]);
  });

  it("shows only PUBLIC collections to requests without a key", async () => {
    const host = open();
    const { app, list } = await filled(host, [
      { name: "Open", visibility: "PUBLIC" },
      { name: "Closed", visibility: "PRIVATE" },
      { name: "Left out" },
    ]);
    expect(names(await list())).toEqual(["Left out", "Closed", "Open"]);
    expect(await list({ visibility: "PUBLIC" })).toMatchObject({ items: [{ name: "Open" }], total: 1 });
    expect(names(await list({ visibility: "PRIVATE" }))).toEqual(["Left out", "Closed"]);

    const path = `/apps/${app.id}/collections`;
    const seen = async (search: string) => names({ items: (await withoutKey(host, `${path}${search}`)).body });
    expect(await seen("")).toEqual(["Open"]);
    expect(await seen("?visibility=PUBLIC")).toEqual(["Open"]);
    expect(await seen("?visibility=PRIVATE")).toEqual([]);
    expect(await seen("?search=o")).toEqual(["Open"]);

    const [, closed, publicOne] = (await list()).items;
    expect(await withoutKey(host, `${path}/${publicOne.id}`)).toMatchObject({ status: 200, body: { name: "Open" } });
    expect(await withoutKey(host, `${path}/${closed.id}`)).toMatchObject({ status: 404 });
  });

  it("answers 404 for an unknown app", async () => {
    const host = open();
    expect((await withoutKey(host, "/apps/app_unknown/collections")).status).toBe(404);
    await expect(host.stepwell.collections.list("app_unknown")).rejects.toMatchObject({ code: "not_found" });
  });
});
