/** Incoming webhooks: a URL that starts runs of the workflow that deployed it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Step, Stepwell } from "../../src/index.ts";
import { createTestClock, createTestService, type TestService } from "../../src/testing/index.ts";
import { until } from "../support/until.ts";

let service: TestService;
let stepwell: Stepwell;
beforeEach(async () => {
  service = await createTestService({ baseUrl: "https://example.com/auto" });
  stepwell = service.stepwell;
});
afterEach(() => service.close());

const hook = (webhook: object, input = {}): Step => ({ type: "input", key: "in", input, webhook }) as Step; // the shapes under test are right

async function deploySteps(...steps: Step[]): Promise<string> {
  const { id } = await stepwell.workflows.create(service.app, { name: "Hook", steps });
  await stepwell.workflows.deploy(service.app, id);
  return id;
}

const send = (path: string, init: RequestInit = {}, app = service.app) =>
  stepwell.fetch(new Request(`https://example.com/auto/public/apps/hooks/${app}/${path}`, { method: "POST", ...init }));
const json = (body: unknown, headers = {}): RequestInit => ({
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers },
});
const waiting = { prefer: "wait=9999" };

describe("a webhook", () => {
  it("starts a run with the request as input and returns its id, or its output with Prefer: wait", async () => {
    await deploySteps(hook({ method: "POST", path: "/orders/new/" }, { n: { type: "number" } }), {
      type: "code",
      key: "double",
      code: "return { twice: input.n * 2 }",
    });
    const answer = await send("orders/new", json({ n: 4, unasked: true }));
    expect(answer.status).toBe(202);
    const { id, ...rest } = await answer.json();
    expect(Object.keys(rest)).toEqual(["status"]);
    expect((await stepwell.runs.wait(service.app, id)).output).toEqual({ twice: 8 });
    const waited = await send("orders/new?n=5", json({}, waiting));
    expect([waited.status, await waited.json()]).toEqual([200, { twice: 10 }]);
  });

  it.each([
    ["is compressed", { "content-encoding": "gzip" }, "Omit Content-Encoding"],
    ["is JSON in another encoding", { "content-type": "application/json; charset=utf-16le" }, "Send it in UTF-8"],
  ])("refuses a body that %s", async (_, headers, detail) => {
    await deploySteps(hook({ method: "POST", path: "encoded" }));
    const answer = await send("encoded", json({ n: 4 }, headers));
    expect(answer.status).toBe(415);
    expect((await answer.json()).detail).toContain(detail);
  });

  it.each([
    ["JSON", json({ a: 1, b: ["x"] }), { a: 1, b: ["x"] }],
    ["a JSON array", json([1, 2]), { body: [1, 2] }],
    [
      "a form",
      {
        body: new URLSearchParams([
          ["a", "1"],
          ["b", "x"],
          ["b", "y"],
          ["c[]", "z"],
        ]),
      },
      { a: "1", b: ["x", "y"], c: ["z"] },
    ],
    ["text", { body: "héllo", headers: { "content-type": "text/plain" } }, { body: "héllo" }],
    ["bytes", { body: new Uint8Array([0xff, 0, 1]) }, { body: "/wAB", encoding: "base64", mime_type: null }],
    ["an empty body", {}, {}],
  ] as const)("accepts %s and query parameters as the input of the run", async (_, init, expected) => {
    await deploySteps(hook({ method: "POST", path: "any" }));
    const answer = await send("any?q=1", {
      ...init,
      headers: { ...("headers" in init ? init.headers : {}), ...waiting },
    });
    expect(await answer.json()).toEqual({ q: "1", ...expected });
  });

  it("responds with the output if the step says so, unless the run takes longer than 30 seconds", async () => {
    const webhook = { method: "POST", path: "ask", respond: "output" } as const;
    await deploySteps(
      { type: "input", key: "in", input: {}, webhook },
      { type: "code", key: "c", code: "return input" },
    );
    const answered = await send("ask", json({ challenge: "abc" }));
    expect([answered.status, await answered.json()]).toEqual([200, { challenge: "abc" }]);
    const early = await send("ask", json({ challenge: "abc" }, { prefer: "wait=0" }));
    expect([early.status, Object.keys(await early.json())]).toEqual([202, ["id", "status"]]);
    const { items } = await stepwell.hooks.list(service.app);
    expect(items).toMatchObject([{ path: "ask", respond: "output" }]);
  });

  it("responds with the code canceled if the run is canceled meanwhile", async () => {
    await deploySteps(hook({ method: "POST", path: "ask" }), {
      ...{ type: "input", key: "more", input: { ok: { type: "boolean" } } },
    });
    const sent = send("ask", json({}, waiting));
    let run: string | undefined;
    await until(async () => {
      run = (await stepwell.runs.list(service.app)).items[0]?.id;
      return run !== undefined;
    });
    await stepwell.runs.cancel(service.app, run ?? "");
    const answer = await sent;
    expect([answer.status, (await answer.json()).error]).toEqual([424, { code: "canceled" }]);
  });

  it("responds with the run if its output takes longer than 30 seconds", async () => {
    const clock = createTestClock();
    await service.close();
    service = await createTestService({ baseUrl: "https://example.com/auto", clock });
    stepwell = service.stepwell;
    const webhook = { method: "POST", path: "slow", respond: "output" } as const;
    await deploySteps(
      { type: "input", key: "in", input: {}, webhook, destinations: ["more"] },
      { type: "input", key: "more", input: { ok: { type: "boolean" } } },
    );
    const begun = clock.now();
    let isAnswered = false;
    const sent = send("slow", json({})).finally(() => {
      isAnswered = true;
    });
    await until(async () => {
      if (!isAnswered) await clock.advance("1s");
      return isAnswered;
    });
    expect(clock.now() - begun).toBeGreaterThanOrEqual(30_000);
    const answer = await sent;
    expect([answer.status, (await answer.json()).status]).toEqual([202, "waiting"]);
  });

  it("accepts a multipart form", async () => {
    await deploySteps(hook({ method: "POST", path: "any" }));
    const form = new FormData();
    form.append("a", "1");
    form.append("file", new Blob(["content"]), "a.txt");
    expect(await (await send("any", { body: form, headers: waiting })).json()).toEqual({ a: "1", file: "content" });
  });

  it("drops unknown fields of nested objects and reports invalid ones by JSON Pointer", async () => {
    const line = { type: "object", array: true, fields: { sku: { type: "string" } } };
    const customer = { type: "object", fields: { name: { type: "string" } }, additional_fields: ["vat"] };
    const order = { type: "object", fields: { lines: line, customer } };
    const meta = { type: "object", fields: {}, additional_fields: true };
    await deploySteps(hook({ method: "POST", path: "deep" }, { order, meta }));
    const answer = await send(
      "deep",
      json(
        {
          order: { id: 7, lines: [{ sku: "a", price: 1 }, { sku: "b" }], customer: { name: "Ann", vat: "X", age: 4 } },
          meta: { any: { thing: [1] } },
        },
        waiting,
      ),
    );
    expect(await answer.json()).toEqual({
      order: { lines: [{ sku: "a" }, { sku: "b" }], customer: { name: "Ann", vat: "X" } },
      meta: { any: { thing: [1] } },
    });
    const refused = await send("deep", json({ order: { lines: [{ price: 1 }], customer: "Ann" }, meta: {} }));
    const { errors } = await refused.json();
    expect(errors.map((error: { pointer: string }) => error.pointer)).toEqual([
      "/input/order/lines/0/sku",
      "/input/order/customer",
    ]);
  });

  it.each(["GET", "PUT", "PATCH", "DELETE"] as const)(
    "declared for %s answers no other method, and starts no run for HEAD",
    async (method) => {
      const id = await deploySteps(hook({ method }));
      const path = `${id}/in`;
      expect((await send(path, { method, headers: waiting })).status).toBe(200);
      expect((await send(path, json({}))).status).toBe(404);
      expect((await send(path, { method: "HEAD" })).status).toBe(method === "GET" ? 204 : 404);
      expect((await stepwell.runs.list(service.app)).items).toHaveLength(1);
    },
  );

  it("starts one run for requests with the same webhook-id", async () => {
    await deploySteps(hook({ method: "POST", path: "once" }));
    const sent = await Promise.all(
      Array.from({ length: 10 }, async () => (await send("once", json({ a: 1 }, { "webhook-id": "msg_1" }))).json()),
    );
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect((await stepwell.runs.list(service.app)).items).toHaveLength(1);
    await send("once", json({ a: 1 }, { "webhook-id": "msg_2" }));
    await send("once", json({ a: 1 }));
    expect((await stepwell.runs.list(service.app)).items).toHaveLength(3);
  });

  it.each(["webhook-id", "idempotency-key", "x-github-delivery"])(
    "returns 400 for a malformed %s header, as the API does",
    async (name) => {
      await deploySteps(hook({ method: "POST", path: "once" }));
      for (const value of ["", "x".repeat(256), "a, b"]) {
        const answer = await send("once", json({}, { [name]: value }));
        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({
          code: "malformed",
          errors: [{ in: "header", pointer: `/${name}` }],
        });
      }
      expect((await stepwell.runs.list(service.app)).items).toEqual([]);
    },
  );

  it("returns 400 for a field named __proto__ in JSON, forms and the query", async () => {
    await deploySteps(hook({ method: "POST", path: "any" }));
    const form = new FormData();
    form.append("__proto__", "x");
    const cases: [string, RequestInit, object][] = [
      ["any", { body: '{"__proto__":1}', headers: { "content-type": "application/json" } }, {}],
      ["any", { body: new URLSearchParams([["__proto__", "x"]]) }, {}],
      ["any", { body: new URLSearchParams([["__proto__[]", "x"]]) }, {}],
      ["any", { body: form }, {}],
      ["any?__proto__=x", json({}), { in: "query" }],
    ];
    for (const [path, init, place] of cases) {
      const answer = await send(path, init);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: "malformed", errors: [{ pointer: "/__proto__", ...place }] });
    }
    expect((await stepwell.runs.list(service.app)).items).toEqual([]);
  });

  it.each([
    ["a//b", '"a/b"'],
    ["../x", '"x"'],
    ["a/../b", '"a/b"'],
    ["./a", '"a"'],
    ["a/.", '"a"'],
    ["..", "Remove empty segments"],
    ["a\ud800b", "unpaired surrogate"],
  ])("cannot be deployed with the path %s, which no request could reach", async (path, right) => {
    await expect(deploySteps(hook({ method: "POST", path }))).rejects.toMatchObject({
      errors: [{ pointer: "/steps/0/webhook/path", message: expect.stringContaining(right) }],
    });
  });

  it.each([
    ["%2e%2e", "%2e%2e"],
    ["a/b/", "a/b/"],
    ["...", "..."],
    ["a b/é", "a b/é"],
    ["a\\b", "a\\b"],
    ["an emoji", "\u{1f4a5}"],
    ["1,024 times €", "€".repeat(1_024)],
  ])("answers at its URL when its path is %s", async (_, path) => {
    await deploySteps(hook({ method: "POST", path }));
    const [{ url = "" } = {}] = (await stepwell.hooks.list(service.app)).items;
    expect((await stepwell.fetch(new Request(url, { method: "POST" }))).status).toBe(202);
  });

  it("tells the sender what is wrong with the input, but of a failed run only the error code", async () => {
    await deploySteps(hook({ method: "POST", path: "n" }, { n: { type: "number" } }), {
      type: "code",
      key: "bad",
      code: "throw new Error('a secret')",
    });
    const refused = await send("n", json({ n: "x" }));
    expect([refused.status, (await refused.json()).errors[0].pointer]).toEqual([422, "/input/n"]);
    const failed = await send("n", json({ n: 1 }, waiting));
    const text = await failed.text();
    expect(failed.status).toBe(424);
    expect(text).not.toContain("secret");
    expect(JSON.parse(text)).toMatchObject({ status: "failed", error: { code: "code_failed" } });
    expect((await send("n", { body: "{", headers: { "content-type": "application/json" } })).status).toBe(400);
    expect((await send("n", json({ n: "x".repeat(2_000_000) }))).status).toBe(413);
  });

  it("returns 404 for another app and for any other path", async () => {
    await deploySteps(hook({ method: "POST", path: "mine" }));
    const other = await stepwell.apps.create({ name: "Other" });
    expect((await send("mine", json({}), other.id)).status).toBe(404);
    expect((await send("mine", json({}), "app_none")).status).toBe(404);
    for (const path of ["min", "mine/more", "mine%2fmore", "%2e%2e/mine"]) {
      expect((await send(path, json({}))).status).toBe(404);
    }
  });
});

describe("a webhook URL", () => {
  it("answers OPTIONS with its methods, and with 404 if it has none", async () => {
    await deploySteps(hook({ method: "POST", path: "known" }));
    const known = await send("known", { method: "OPTIONS" });
    expect([known.status, known.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
    expect((await send("unknown", { method: "OPTIONS" })).status).toBe(404);
  });

  it("names method and path when it returns 404", async () => {
    expect((await (await send("un/known")).json()).detail).toBe('No webhook accepts POST at the path "un/known".');
  });

  it("belongs to one workflow: deploying another one with the same method and path fails", async () => {
    const first = await deploySteps(hook({ method: "POST", path: "a/b" }));
    const second = await stepwell.workflows.create(service.app, {
      name: "Second",
      steps: [hook({ method: "POST", path: "/a/b" })],
    });
    const problem = { pointer: "/steps/0/webhook", message: expect.stringContaining(first) };
    expect(await stepwell.workflows.validate(service.app, second.id)).toMatchObject({
      valid: false,
      errors: [problem],
    });
    await expect(stepwell.workflows.deploy(service.app, second.id)).rejects.toMatchObject({
      code: "invalid",
      errors: [problem],
    });
    // Another method at the same path is another webhook.
    await deploySteps(hook({ method: "PUT", path: "a/b" }));
    // Deploying the same workflow again is fine.
    await stepwell.workflows.deploy(service.app, first);
  });

  it("goes to exactly one of several workflows that are deployed at the same time", async () => {
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const steps = [hook({ method: "POST", path: "race" })];
        return (await stepwell.workflows.create(service.app, { name: `Race ${n}`, steps })).id;
      }),
    );
    const results = await Promise.allSettled(ids.map((id) => stepwell.workflows.deploy(service.app, id)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "invalid" });
    }
  });

  it("is free again when its workflow gives it up or is removed", async () => {
    const first = await deploySteps(hook({ method: "POST", path: "free" }));
    await stepwell.workflows.putDraft(service.app, first, { steps: [hook({ method: "POST", path: "other" })] });
    await stepwell.workflows.deploy(service.app, first);
    expect((await send("free", json({}))).status).toBe(404);
    const second = await deploySteps(hook({ method: "POST", path: "free" }));
    expect((await send("free", json({}))).status).toBe(202);
    await stepwell.workflows.remove(service.app, second);
    expect((await send("free", json({}))).status).toBe(404);
    await deploySteps(hook({ method: "POST", path: "free" }));
    expect((await send("free", json({}))).status).toBe(202);
    await stepwell.workflows.rollback(service.app, first, 1).then(
      () => expect.unreachable(),
      (error) => expect(error).toMatchObject({ code: "invalid" }),
    );
  });

  it("cannot be shared by two steps of one workflow", async () => {
    const twice = [hook({ method: "POST", path: "x" }), { ...hook({ method: "POST", path: "x/" }), key: "in2" }];
    const { id } = await stepwell.workflows.create(service.app, { name: "Twice", steps: twice });
    await expect(stepwell.workflows.deploy(service.app, id)).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/steps/1/webhook" }],
    });
  });
});
