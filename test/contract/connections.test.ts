/** Connections: credentials of an app for services of the host. */
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import {
  createStepwell,
  defineService,
  type InputDefinition,
  isStepwellError,
  type JsonObject,
  type Options,
  type Step,
  type StepOf,
} from "../../src/index.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { memory } from "../support/engine/memory.ts";
import { openService, silent } from "../support/engine/service.ts";
import { describeEachTransport, type Refusal, type TestHost } from "../support/http/transports.ts";

const SECRET = "a-secret-of-the-tests-with-32-characters-or-more";
const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((service) => service.close()));
});

const Account = v.strictObject({
  host: v.pipe(v.string(), v.minLength(1, "Must not be empty.")),
  port: v.optional(v.pipe(v.number(), v.integer()), 587),
  password: v.pipe(v.string(), v.minLength(8, "Must have 8 characters.")),
});
/** Returns its arguments and connection without the password. */
const mail = defineService({
  name: "mail",
  connection: Account,
  actions: {
    send: {
      input: v.object({ to: v.string() }),
      output: v.object({ to: v.string(), host: v.string(), port: v.number(), knows: v.boolean() }),
      run: ({ to }, { connection: { host, port, password } }) => ({
        to,
        host,
        port,
        knows: password === "hunter2hunter2",
      }),
    },
  },
});
const chat = defineService({
  name: "chat",
  connection: v.object({ token: v.string() }),
  actions: {
    post: {
      input: v.object({}),
      output: v.string(),
      run: (_, { connection }) => (connection.token.length > 0 ? "posted" : ""),
    },
  },
});
const open = defineService({
  name: "open",
  actions: { look: { input: v.object({}), output: v.null(), run: () => null } },
});
const given: Options = { services: [mail, chat, open], secret: SECRET };
const credentials = { host: "mail.example.com", password: "hunter2hunter2" };
const account = { name: "Sales", service: "mail", credentials };

async function refusal(call: Promise<unknown>): Promise<unknown[]> {
  const error = await call.then(
    () => undefined,
    (reason: Refusal) => reason,
  );
  return error === undefined ? [] : [error.code, ...error.errors.map(({ pointer }) => pointer)];
}

describeEachTransport("connections", (openHost) => {
  const enter = (options: Options = given): TestHost => {
    const host = openHost(options);
    closing.push(host.stepwell);
    return host;
  };

  it("creates, gets, renames, lists by service and deletes a connection", async () => {
    const { callApi, app: makeApp } = enter();
    const app = await makeApp();
    const first = await callApi("connections.create", app.id, { ...account, name: " Sales " });
    expect(first).toEqual({
      id: expect.stringMatching(/^con_[0-9a-z]{26}$/),
      app_id: app.id,
      name: "Sales",
      service: "mail",
      revision: 1,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: first.created_at,
    });
    const second = await callApi("connections.create", app.id, {
      name: "Räume",
      service: "chat",
      credentials: { token: "t" },
    });
    expect(await callApi("connections.get", app.id, first.id)).toEqual(first);
    expect(await callApi("connections.list", app.id)).toMatchObject({ items: [second, first], total: 2, more: false });
    expect((await callApi("connections.list", app.id, { service: "mail" })).items).toEqual([first]);
    expect((await callApi("connections.list", app.id, { search: "RAUM" })).items).toEqual([second]);

    const changed = await callApi("connections.update", app.id, first.id, { name: "Support" });
    expect(changed).toEqual({ ...first, name: "Support", revision: 2, updated_at: expect.any(String) });
    expect(await callApi("connections.get", app.id, first.id)).toEqual(changed);
    await callApi("connections.remove", app.id, first.id);
    expect(await refusal(callApi("connections.get", app.id, first.id))).toEqual(["not_found"]);
    expect(await refusal(callApi("connections.remove", app.id, first.id))).toEqual(["not_found"]);
    expect((await callApi("connections.list", app.id)).items).toEqual([second]);
  });

  it("rejects invalid credentials with a pointer for each", async () => {
    const { callApi, app: makeApp } = enter();
    const app = await makeApp();
    const create = (input: unknown) => refusal(callApi("connections.create", app.id, input));
    expect(await create({})).toEqual(["invalid", "/name", "/service", "/credentials"]);
    expect(await create({ ...account, extra: 1 })).toEqual(["invalid", "/extra"]);
    expect(await create({ ...account, service: "male" })).toEqual(["invalid", "/service"]);
    expect(await create({ ...account, service: "open" })).toEqual(["invalid", "/service"]);
    expect(await create({ ...account, credentials: "x" })).toEqual(["invalid", "/credentials"]);
    expect(await create({ ...account, credentials: { host: "", port: 1.5, password: "short", user: "me" } })).toEqual([
      "invalid",
      "/credentials/host",
      "/credentials/port",
      "/credentials/password",
      "/credentials/user",
    ]);
    const made = await callApi("connections.create", app.id, account);
    const update = (input: unknown) => refusal(callApi("connections.update", app.id, made.id, input));
    expect(await update({ credentials: { host: "h" } })).toEqual(["invalid", "/credentials/password"]);
    expect(await update({ service: "chat" })).toEqual(["invalid", "/service"]);
    expect(await update({ name: "" })).toEqual(["invalid", "/name"]);
    expect(await callApi("connections.get", app.id, made.id)).toEqual(made);
  });

  it("hides a connection from other apps and deletes it with its app", async () => {
    const { callApi, app: makeApp, stepwell } = enter();
    const [app, other] = [await makeApp(), await makeApp("Other")];
    const made = await callApi("connections.create", app.id, account);
    expect(await refusal(callApi("connections.get", other.id, made.id))).toEqual(["not_found"]);
    expect(await refusal(callApi("connections.update", other.id, made.id, { name: "x" }))).toEqual(["not_found"]);
    expect(await refusal(callApi("connections.remove", other.id, made.id))).toEqual(["not_found"]);
    expect((await callApi("connections.list", other.id)).items).toEqual([]);
    await stepwell.apps.remove(app.id);
    expect(await refusal(stepwell.connections.get(app.id, made.id))).toEqual(["not_found"]);
  });

  it("answers 501 with a hint at createStepwell({ secret }) when no secret is set", async () => {
    const { callApi, app: makeApp } = enter({ services: [mail], logger: silent });
    const app = await makeApp();
    await expect(callApi("connections.create", app.id, account)).rejects.toMatchObject({
      status: 501,
      code: "not_configured",
      message: expect.stringContaining("createStepwell({ secret })"),
    });
    expect((await callApi("connections.list", app.id)).items).toEqual([]);
  });
});

describe("keys for connections", () => {
  it("separates connections:read from connections:write", async () => {
    const { stepwell, app } = await serviceOf();
    const ask = async (scope: "connections:read" | "connections:write" | "runs:read", method: string) => {
      const { key } = await stepwell.keys.create(app, { name: scope, scopes: [scope] });
      const body = method === "POST" ? { body: JSON.stringify(account) } : {};
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const url = `http://localhost:3000/apps/${app}/connections`;
      return (await stepwell.fetch(new Request(url, { method, headers, ...body }))).status;
    };
    expect([await ask("connections:read", "GET"), await ask("connections:read", "POST")]).toEqual([200, 403]);
    expect([await ask("connections:write", "GET"), await ask("connections:write", "POST")]).toEqual([403, 201]);
    expect(await ask("runs:read", "GET")).toBe(403);
  });

  it("creates one connection when a request repeats its Idempotency-Key", async () => {
    const { stepwell, app } = await serviceOf();
    const { key } = await stepwell.keys.create(app, { name: "k" });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "once" };
    const post = async (body: object) => {
      const request = { method: "POST", headers, body: JSON.stringify(body) };
      const answer = await stepwell.fetch(new Request(`http://localhost:3000/apps/${app}/connections`, request));
      return [answer.status, (await answer.json()) as { id: string }] as const;
    };
    const [status, made] = await post(account);
    expect([status, (await post(account))[1]]).toEqual([201, made]);
    expect((await post({ ...account, credentials: { ...credentials, port: 1 } }))[0]).toBe(409);
    expect((await stepwell.connections.list(app)).items).toEqual([made]);
  });
});

async function serviceOf(options: Options = given) {
  const service = await openService(options);
  closing.push(service.stepwell);
  return service;
}

const send = (connection_id?: string, service = "mail", action = "send"): Step => ({
  type: "service",
  key: "s",
  service: { service, action, input: { to: "a" }, ...(connection_id === undefined ? {} : { connection_id }) },
});

describe("connection fields of an input", () => {
  it("accept connections of the app and of the allowed services only", async () => {
    const { stepwell, app, draft, deploy } = await serviceOf();
    const { id: mine } = await stepwell.connections.create(app, account);
    const { id: talk } = await stepwell.connections.create(app, {
      name: "c",
      service: "chat",
      credentials: { token: "t" },
    });
    const stranger = await stepwell.apps.create({ name: "Stranger" });
    const { id: theirs } = await stepwell.connections.create(stranger.id, account);
    const input: InputDefinition = {
      from: { type: "connection", allowed_types: ["mail"] },
      several: { type: "object", fields: { any: { type: "connection", array: true } } },
    };
    const steps: Step[] = [{ type: "input", key: "in", input }];
    const workflow = await deploy(steps);
    const notMail = "The connection belongs to the service chat. Allowed: mail.";
    const none = (id: string) => `There is no connection with the id "${id}".`;

    const errorsByPointer = (error: unknown) => {
      if (!isStepwellError(error, "invalid")) throw error;
      return Object.fromEntries(error.errors.map(({ pointer, message }) => [pointer, message]));
    };
    const create = (input: JsonObject) =>
      stepwell.runs.create(app, workflow, { input }).then(() => ({}), errorsByPointer);
    expect(await create({ from: mine, several: { any: [talk, mine] } })).toEqual({});
    expect(await create({ from: talk, several: { any: [mine, theirs, "con_1"] } })).toEqual({
      "/input/from": notMail,
      "/input/several/any/1": none(theirs),
      "/input/several/any/2": none("con_1"),
    });

    const validate = async (input_default: JsonObject) => {
      const { errors } = await stepwell.workflows.validate(app, await draft(steps, { input_default }));
      return Object.fromEntries(errors.map(({ pointer, message }) => [pointer, message]));
    };
    expect(await validate({ from: mine, several: { any: talk } })).toEqual({});
    expect(await validate({ from: talk, several: { any: [theirs] } })).toEqual({
      "/input_default/from": notMail,
      "/input_default/several/any/0": none(theirs),
    });
  });

  it("check the connection when input is provided and when a child run starts", async () => {
    const { stepwell, app, deploy, until, wait } = await serviceOf();
    const { id: mine } = await stepwell.connections.create(app, account);
    const asks: Step = { type: "input", key: "ask", input: { from: { type: "connection", allowed_types: ["chat"] } } };
    const waits = await deploy([{ type: "input", key: "in", input: {}, destinations: ["ask"] }, asks]);
    const { id } = await stepwell.runs.create(app, waits, {});
    await until(id, ({ status }) => status === "waiting");
    await expect(stepwell.runs.provide(app, id, "ask", { from: mine })).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/from" }],
    });
    const child = await deploy([asks]);
    const parent = await deploy([{ type: "workflow", key: "call", workflow_id: child, input: { from: mine } }]);
    const run = await wait((await stepwell.runs.create(app, parent, {})).id);
    expect(run.error?.message).toContain("The connection belongs to the service mail. Allowed: chat.");
  });
});

describe("service steps with a connection", () => {
  it("call the action with a connection named directly or by a template", async () => {
    const { stepwell, app, run } = await serviceOf();
    const { id } = await stepwell.connections.create(app, account);
    const output = { to: "a", host: "mail.example.com", port: 587, knows: true };
    expect((await run([send(id)])).output).toEqual(output);
    expect((await run([send("{{ input.account }}")], { account: id })).output).toEqual(output);
  });

  it("report a missing, unknown or unsuitable connection at deployment", async () => {
    const { stepwell, app, draft } = await serviceOf();
    const { id } = await stepwell.connections.create(app, { name: "c", service: "chat", credentials: { token: "t" } });
    const stranger = await stepwell.apps.create({ name: "Stranger" });
    const theirs = await stepwell.connections.create(stranger.id, account);
    const problems = async (step: Step) => {
      const { errors } = await stepwell.workflows.validate(app, await draft([step]));
      return errors.map(({ pointer, message }) => `${pointer}: ${message}`);
    };
    const at = "/steps/0/service/connection_id";
    expect(await problems(send())).toEqual([`${at}: Is required: the service mail needs a connection.`]);
    expect(await problems(send(id))).toEqual([`${at}: The connection belongs to the service chat, not to mail.`]);
    expect(await problems(send(theirs.id))).toEqual([`${at}: There is no connection with the id "${theirs.id}".`]);
    expect(await problems(send("{{ input.account }}"))).toEqual([]);
    expect(await problems(send("{{ input.account", "mail"))).toHaveLength(1);
    expect(await problems(send("{{ input.account }}", "open", "look"))).toEqual([
      `${at}: Must be omitted: the service open does not use a connection.`,
    ]);
  });

  it("fail when the connection is missing or belongs to another service at run time", async () => {
    const { stepwell, app, deploy, runOf } = await serviceOf();
    const { id } = await stepwell.connections.create(app, account);
    const other = await stepwell.connections.create(app, { name: "c", service: "chat", credentials: { token: "t" } });
    const [named, found] = [await deploy([send(id)]), await deploy([send("{{ input.account }}")])];
    const error = async (workflow: string, accountOf: string | number) =>
      (await runOf(workflow, { account: accountOf })).error;
    expect(await error(found, other.id)).toMatchObject({
      code: "invalid",
      message: `Connection ${other.id} belongs to the service chat, not to mail.`,
    });
    expect(await error(found, "con_unknown")).toMatchObject({ code: "not_found" });
    expect(await error(found, "../keys:1")).toMatchObject({ code: "not_found" });
    expect(await error(found, 7)).toMatchObject({ code: "not_found" });

    await stepwell.connections.update(app, id, { credentials: { ...credentials, password: "another password" } });
    expect((await runOf(named)).output).toMatchObject({ knows: false });
    await stepwell.connections.remove(app, id, { force: true });
    expect(await error(named, "")).toMatchObject({
      code: "not_found",
      message: `There is no connection with the id "${id}".`,
    });
  });
});

describe("a changed service", () => {
  it("fails deployed steps without a connection when it now needs one", async () => {
    const data = new Map<string, string>();
    const before = defineService({ name: "mail", actions: { send: plainSend } });
    const first = await serviceOf({ ...given, services: [before], storage: { entities: memory(data).driver } });
    const workflow = await first.deploy([send()]);
    await first.stepwell.close();
    const stepwell = createStepwell({ ...given, logger: silent, storage: { entities: memory(data).driver } });
    closing.push(stepwell);
    const { id } = await stepwell.runs.create(first.app, workflow);
    expect((await stepwell.runs.wait(first.app, id)).error).toMatchObject({
      code: "invalid",
      message: "The service mail needs a connection. Set connection_id and deploy the workflow again.",
    });
  });

  it("fails steps whose connection no longer matches its schema", async () => {
    const data = new Map<string, string>();
    const first = await serviceOf({ ...given, storage: { entities: memory(data).driver } });
    const { id } = await first.stepwell.connections.create(first.app, account);
    const workflow = await first.deploy([send(id)]);
    await first.stepwell.close();
    const now = defineService({
      name: "mail",
      connection: v.object({ host: v.string(), user: v.string() }),
      actions: { send: plainSend },
    });
    const stepwell = createStepwell({
      ...given,
      services: [now],
      logger: silent,
      storage: { entities: memory(data).driver },
    });
    closing.push(stepwell);
    const run = await stepwell.runs.create(first.app, workflow);
    expect((await stepwell.runs.wait(first.app, run.id)).error).toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^Connection con_\w+ no longer matches the schema of mail: \/credentials\/user: /),
    });
  });
});

const plainSend = { input: v.object({ to: v.string() }), output: v.null(), run: () => null };

describe("the list of services", () => {
  it("describes which services need a connection, and its schema", async () => {
    const { stepwell } = await serviceOf();
    const list = await stepwell.services.list();
    const of = (name: string) => list.find((service) => service.name === name);
    expect(of("open")).toMatchObject({ needs_connection: false, connection: null });
    expect(of("mail")).toMatchObject({
      needs_connection: true,
      connection: { type: "object", required: ["host", "password"], properties: { password: { minLength: 8 } } },
    });
  });
});

describe("model tools with a connection", () => {
  const ask = (tool: NonNullable<StepOf<"model">["provider"]["tools"]>[number]): Step => ({
    type: "model",
    key: "ask",
    provider: { provider: "fake", model: "m", messages: "Write to them.", tools: [tool] },
  });

  it("use the author's connection without revealing it to the model", async () => {
    const fake = scriptedModel([{ calls: [{ name: "mail_send", input: { to: "b" } }] }, "Done."]);
    const { stepwell, app, run } = await serviceOf({ ...given, models: { fake } });
    const { id } = await stepwell.connections.create(app, account);
    const tool = { type: "service", service: "mail", action: "send", connection_id: "{{ input.account }}" } as const;
    const done = await run([ask(tool)], { account: id });
    expect(done.output).toMatchObject({ text: "Done.", tool_calls: [{ error: null }] });
    expect(JSON.stringify(fake.requests[1])).toContain('"knows":true');
    expect(JSON.stringify(fake.requests)).not.toContain(id);
  });

  it("report a missing or unknown connection at deployment", async () => {
    const { stepwell, draft, app } = await serviceOf({ ...given, models: { fake: scriptedModel([]) } });
    const pointers = async (step: Step) => {
      const { errors } = await stepwell.workflows.validate(app, await draft([step]));
      return errors.map(({ pointer }) => pointer);
    };
    const at = ["/steps/0/provider/tools/0/connection_id"];
    expect(await pointers(ask("mail.send"))).toEqual(at);
    expect(await pointers(ask({ type: "service", service: "mail", action: "send" }))).toEqual(at);
    const unknown = { type: "service", service: "mail", action: "send", connection_id: "con_1" } as const;
    expect(await pointers(ask(unknown))).toEqual(at);
  });
});
