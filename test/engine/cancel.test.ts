/** Canceling a run reaches what its step waits for: the run ends, and the pending request is aborted. */
import type { ServerResponse } from "node:http";
import * as v from "valibot";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { searxng } from "../../adapters/search/index.ts";
import { defineService, type Step, type StepOf } from "../../src/index.ts";
import { input, openService, type Service } from "../support/engine/service.ts";
import { openModelServer } from "../support/servers/model-server.ts";
import { openWeb, type Web } from "../support/servers/web.ts";

let models: Awaited<ReturnType<typeof openModelServer>>;
let web: Web;
let service: Service;
/** The number of requests that get no response, and of those that were closed. */
const held = { come: 0, gone: 0 };

beforeAll(async () => {
  models = await openModelServer();
  const hold = (_: unknown, response: ServerResponse) => {
    held.come++;
    response.on("close", () => held.gone++);
  };
  const half = (_: unknown, response: ServerResponse) => {
    hold(_, response);
    response.writeHead(200, { "content-type": "text/html" }).write("<p>Half");
  };
  web = await openWeb({ "/never": hold, "/half": half, "/search": hold });
  const remote = defineService({
    name: "remote",
    actions: {
      ask: {
        input: v.object({}),
        output: v.unknown(),
        run: async (_, { fetch, signal }) => (await fetch(`${web.url}/never`, { signal })).status,
      },
    },
  });
  const webSearch = searxng({ url: web.url });
  service = await openService({ models: models.models, services: [remote], net: web.net, webSearch });
});
beforeEach(() => Object.assign(held, { come: 0, gone: 0 }));
afterAll(async () => {
  await service.stepwell.close();
  await models.close();
  await web.close();
});

async function expectCanceled(id: string, isAborted: () => boolean | Promise<boolean>): Promise<void> {
  await service.stepwell.runs.cancel(service.app, id);
  expect((await service.get(id)).status).toBe("canceled");
  await expect.poll(isAborted).toBe(true);
}

const ask = (provider: Partial<StepOf<"model">["provider"]> = {}): Step => ({
  type: "model",
  key: "ask",
  provider: { provider: "chat", model: "m", messages: "Hi", ...provider },
});
const act = (name: string, action: string, given: object): Step => ({
  type: "service",
  key: "act",
  service: { service: name, action, input: { ...given } },
});
const calls = (name: string) => ({ calls: [{ id: "c", name, input: {} }] });

it.each([false, true])("canceling a run aborts its request to a model, streamed: %s", async (stream) => {
  models.replyWith(() => ({ when: new Promise(() => {}) }));
  const { id } = await service.start([ask({ features: { stream } })]);
  await expect.poll(() => models.requests.length).toBe(1);
  await expectCanceled(id, () => models.requests[0]?.isCut === true);
});

it("canceling a run aborts a tool that its model calls", async () => {
  models.replyWith(() => calls("remote_ask"));
  const { id } = await service.start([ask({ tools: ["remote.ask"] })]);
  await expect.poll(() => held.come).toBe(1);
  await expectCanceled(id, () => held.gone === 1);
  expect(models.requests).toHaveLength(1);
});

it("canceling a run cancels the child run that its model started", async () => {
  const workflow_id = await service.deploy([input("in"), input("wait", { input: { ok: { type: "boolean" } } })]);
  const children = async () =>
    (await service.stepwell.runs.listOfWorkflow(service.app, workflow_id)).items.map(({ status }) => status);
  models.replyWith(() => calls("go"));
  const { id } = await service.start([
    ask({ tools: [{ type: "workflow", workflow_id, name: "go", description: "" }] }),
  ]);
  await expect.poll(children).toEqual(["waiting"]);
  await expectCanceled(id, async () => (await children())[0] === "canceled");
});

it.each(["/never", "/half"])("canceling a run aborts the page that it reads without a browser: %s", async (path) => {
  const { id } = await service.start([input("in"), { type: "browser", key: "page", url: web.url + path }]);
  await expect.poll(() => held.come).toBe(1);
  await expectCanceled(id, () => held.gone === 1);
});

it("canceling a run aborts its web search", async () => {
  const { id } = await service.start([act("web_search", "search", { query: "x" })]);
  await expect.poll(() => held.come).toBe(1);
  await expectCanceled(id, () => held.gone === 1);
});

it("canceling a run that waits for the rules of a record lets the rules finish", async () => {
  const rule = await service.deploy([input("in"), input("ask", { input: { ok: { type: "boolean" } } })]);
  const config = { rules: [{ name: "Rule", key: "rule", workflow_id: rule }] };
  const { id: collection_id } = await service.stepwell.collections.create(service.app, { name: "Slow", config });
  const { id } = await service.start([act("records", "create", { collection_id, data: { a: { b: 1 } } })]);
  const ofRule = async () =>
    (await service.stepwell.runs.listOfWorkflow(service.app, rule)).items.map(({ status }) => status);
  await expect.poll(ofRule).toEqual(["waiting"]);
  await expectCanceled(id, () => true);
  expect(await ofRule()).toEqual(["waiting"]);
});
