/** `auto` fields: what the request to the model contains, how its response is used, and when it is requested. */
import * as v from "valibot";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { defineService } from "../../src/index.ts";
import { memory } from "../support/engine/memory.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { give, openService, type Service, step } from "../support/engine/service.ts";
import { openServer, type Server } from "../support/servers/http-server.ts";
import { openModelServer } from "../support/servers/model-server.ts";

let server: Awaited<ReturnType<typeof openModelServer>>;
let target: Server;
let service: Service;
let failures = 0;
const sent: unknown[] = [];

const mail = defineService({
  name: "mail",
  actions: {
    send: {
      input: v.object({ to: v.string(), copies: v.number(), tags: v.array(v.string()) }),
      output: v.null(),
      run(mail) {
        sent.push(mail);
        return null;
      },
    },
  },
});

const options = () => ({ models: server.models, services: [mail], net: target.net, clock: quickClock() });
beforeAll(async () => {
  server = await openModelServer();
  target = await openServer(() => ({ status: failures-- > 0 ? 500 : 200, body: "ok" }));
  service = await openService(options());
});
beforeEach(() => {
  sent.length = 0;
  target.received.length = 0;
  failures = 0;
});
afterAll(async () => {
  await service.stepwell.close();
  await server.close();
  await target.close();
});

const auto = { provider: "chat", model: "m", temperature: 0.2 };
const request = (body: string, more: Partial<Step> = {}): Step[] => [
  give("before", {}, { who: "Ada" }),
  { type: "http_request", key: "post", method: "POST", url: target.url, body, auto, ...more } as Step,
];
const answers = (...values: unknown[]) => ({
  text: JSON.stringify(Object.fromEntries(values.map((value, index) => [`field_${index + 1}`, value]))),
});

describe("an auto field", () => {
  it("is filled by the model from the input and earlier outputs before the step runs", async () => {
    server.replyWith([answers("warm wishes", "Ada")]);
    const run = await service.run(
      request('Dear {{ auto("the name") }}: {{ auto("a greeting for " + input.place) }}!'),
      {
        place: "Rome",
      },
    );
    expect(run.status).toBe("succeeded");
    expect(target.received.map(({ body }) => body)).toEqual(["Dear warm wishes: Ada!"]);
    const sent = JSON.stringify(server.requests[0]?.body);
    for (const part of ["the name", "a greeting for Rome", "/body", "Ada"]) expect(sent).toContain(part);
    expect(server.requests[0]?.body.temperature).toBe(0.2);
  });

  it("is validated by the schema of the action and requested again when it doesn't match", async () => {
    const input = { to: "{{ auto('who') }}", copies: "{{ auto('how many') }}", tags: ["{{ auto('one tag') }}", "b"] };
    const call: Step = { type: "service", key: "s", auto, service: { service: "mail", action: "send", input } };
    server.replyWith([answers("a@b.c", "three", "x"), answers("a@b.c", 3, "x")]);
    expect(await service.run([call])).toMatchObject({ status: "succeeded" });
    expect(sent).toEqual([{ to: "a@b.c", copies: 3, tags: ["x", "b"] }]);
    expect(JSON.stringify(server.requests[1]?.body)).toContain("field_2");
  });

  it("is named by its JSON Pointer when the model's second response is invalid, too", async () => {
    const input = { to: "{{ auto('who') }}", copies: "{{ auto('how many') }}", tags: ["a"] };
    const call: Step = { type: "service", key: "s", auto, service: { service: "mail", action: "send", input } };
    server.replyWith([answers("a@b.c", "three"), answers("a@b.c", "many")]);
    const { error } = await service.run([call]);
    expect(error).toMatchObject({ code: "invalid_output", step: "s" });
    expect(error?.message).toContain("/service/input/copies");
    expect(error?.message).not.toContain("field_");
  });

  it("is requested once for all attempts of a step, and again in each iteration", async () => {
    failures = 1;
    server.replyWith([answers("one")]);
    expect(await service.run(request('{{ auto("text") }}'))).toMatchObject({ status: "succeeded" });
    expect(target.received.map(({ body }) => body)).toEqual(["one", "one"]);
    server.replyWith([answers("two"), answers("three")]);
    target.received.length = 0;
    await service.run(request('{{ auto("text") }}', { loop: "iteration == 2" }));
    expect(target.received.map(({ body }) => body)).toEqual(["two", "three"]);
  });

  it("is not requested again after a crash", async () => {
    const data = new Map<string, string>();
    const copies: Map<string, string>[] = [];
    const { driver } = memory(data, () => server.requests.length > 0 && copies.push(new Map(data)));
    server.replyWith([answers("once")]);
    const first = await openService({ ...options(), storage: { entities: driver } });
    const run = await first.run(request('{{ auto("text") }}'));
    await first.stepwell.close();
    for (const copy of copies) {
      server.replyWith([]);
      const next = await openService({ ...options(), storage: { entities: memory(copy).driver } }, first.app);
      expect(step(await next.wait(run.id), "post")).toMatchObject({ status: "succeeded" });
      expect(server.requests).toEqual([]);
      await next.stepwell.close();
    }
    expect(copies.length).toBeGreaterThan(1);
  });

  it.each<[string, object, string]>([
    ["no model", { auto: { provider: "chat" } }, "/steps/1/auto"],
    ["an unknown provider", { auto: { provider: "nobody", model: "m" } }, "/steps/1/auto/provider"],
    ["a malformed expression", { body: "{{ auto(1 +) }}" }, "/steps/1/body"],
    ["auto() in a condition", { conditional: 'auto("yes?")' }, "/steps/1/conditional"],
  ])("is rejected at deployment with %s", async (_, more, pointer) => {
    const refused = await service.deploy(request('{{ auto("text") }}', more)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ errors: [{ pointer }] });
  });
});
