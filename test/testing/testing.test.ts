/** `stepwell/testing`, with which users test their workflows. */

import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, type Step, type StepOf } from "../../src/index.ts";
import { createTestClock, createTestService, runWorkflow, scriptedModel } from "../../src/testing/index.ts";
import { createGate } from "../support/gate.ts";
import { until } from "../support/until.ts";

const RATE = "https://api.example.com/rate";

describe("createTestService", () => {
  it("runs a definition with a webhook more than once", async () => {
    const service = await createTestService();
    const steps = [{ type: "input", key: "in", input: {}, webhook: { method: "POST", path: "orders" } }] as const;
    expect((await service.run({ steps })).status).toBe("succeeded");
    expect((await service.run({ steps })).status).toBe("succeeded");
    await service.close();
  });

  it("waits for a run on a clock that stands still", async () => {
    const clock = createTestClock();
    const service = await createTestService({ clock });
    const { id } = await service.run([
      { type: "input", key: "start", input: {} },
      { type: "input", key: "ask", input: {}, timeout: 86_400 },
    ]);
    expect((await service.wait(id)).status).toBe("waiting");
    await clock.advance("2d");
    expect((await service.wait(id)).status).toBe("failed");
    await service.close();
  });
});

describe("runWorkflow", () => {
  it("runs a definition and returns the run", async () => {
    const run = await runWorkflow({ steps: [{ type: "code", key: "double", code: "return input.n * 2" }] }, { n: 21 });
    expect(run.output).toBe(42);
    expect((await runWorkflow([{ type: "note", key: "x", note: "" }])).status).toBe("succeeded");
  });

  it("rejects with the problems of a definition", async () => {
    const wrong: Step[] = [{ type: "note", key: "a", note: "", destinations: ["b"] }];
    await expect(runWorkflow(wrong)).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/steps/0/destinations/0" }],
    });
  });

  it("returns a run that waits for input", async () => {
    const run = await runWorkflow([
      { type: "input", key: "start", input: {}, destinations: ["ask"] },
      { type: "input", key: "ask", input: { ok: { type: "boolean" } } },
    ]);
    expect(run.status).toBe("waiting");
  });

  it("calls services that the test defines", async () => {
    const rates = defineService({
      name: "rates",
      actions: {
        get: { input: v.object({ of: v.string() }), output: v.number(), run: ({ of }) => of.length },
      },
    });
    const step: Step = {
      type: "service",
      key: "rate",
      service: { service: "rates", action: "get", input: { of: "EUR" } },
    };
    expect((await runWorkflow([step], {}, { services: [rates] })).output).toBe(3);
  });
});

describe("createTestService", () => {
  it("stubs responses in order and records requests", async () => {
    const service = await createTestService({
      http: {
        [`POST ${RATE}`]: [{ status: 400, text: "not yet" }, { json: { rate: 1.1 } }],
        "GET https://api.example.com/echo": ({ headers }) => ({ json: headers["x-name"] ?? null }),
      },
    });
    const step: Step = { type: "http_request", key: "rate", method: "POST", url: RATE, body: "{{ input.n }}" };
    expect((await service.run([step], { n: 1 })).error).toMatchObject({ code: "http_status" });
    expect((await service.run([step], { n: 2 })).output).toMatchObject({ status: 200, body: { rate: 1.1 } });
    expect(service.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["POST", RATE, "1"],
      ["POST", RATE, "2"],
    ]);
    const echo: Step = {
      type: "http_request",
      key: "e",
      url: "https://api.example.com/echo",
      headers: { "X-Name": "Ada" },
    };
    expect((await service.run([echo])).output).toMatchObject({ body: "Ada" });
    const unknown: Step = {
      type: "http_request",
      key: "u",
      url: "https://api.example.com/other",
      throw_on_error: false,
    };
    const clock = await service.run([{ ...unknown, conditional: "false" }]);
    expect(clock.status).toBe("succeeded");
    await service.close();
  });

  it("names the stubbed URLs when a request has no stub", async () => {
    const clock = createTestClock();
    const service = await createTestService({ http: { [`GET ${RATE}`]: {} }, clock });
    const running = service.run([{ type: "http_request", key: "u", url: "https://api.example.com/other" }]);
    await clock.advance("10m"); // it is retried, like any unreachable URL
    const run = await running;
    expect(run.error?.message).toContain(`Stubbed: GET ${RATE}`);
    expect(run.steps[0]?.attempts).toBe(3);
    await service.close();
  });

  it("advances its clock for retries, expressions and upload URLs", async () => {
    const clock = createTestClock("2031-05-01T00:00:00.000Z");
    const service = await createTestService({
      clock,
      http: { [`GET ${RATE}`]: [{ status: 503, headers: { "retry-after": "3600" } }, {}] },
    });
    const running = service.run([
      { type: "http_request", key: "rate", url: RATE },
      {
        type: "branch",
        key: "year",
        conditions: { late: { order: 1, condition: "now.getFullYear() == 2031", destinations: [] } },
      },
    ]);
    await clock.advance("59m");
    expect(service.requests).toHaveLength(1);
    await clock.advance("1m");
    expect((await running).output).toEqual({ taken: "late" });
    expect(service.requests).toHaveLength(2);

    const { upload_url } = await service.stepwell.files.createUpload(service.app, { expires_in: 60 });
    await clock.advance("2m");
    await expect(service.stepwell.files.receive(upload_url, { body: new Uint8Array(1) })).rejects.toMatchObject({
      code: "upload_expired",
    });
    await expect(clock.advance("soon")).rejects.toThrow(/is not a duration/);
    await service.close();
  });

  it("uploads files for inputs", async () => {
    const service = await createTestService();
    const id = await service.upload("a.csv", "a,b\n");
    const start: Step = { type: "input", key: "start", input: { f: { type: "file", extract_contents: true } } };
    expect((await service.run([start], { f: [id] })).output).toMatchObject({
      f: [{ name: "a.csv", contents: "a,b\n" }],
    });
    await service.close();
  });

  it("crashes on demand, and the next service resumes the run", async () => {
    const { release, released: held } = createGate();
    let calls = 0;
    const http = {
      [`GET ${RATE}`]: async () => {
        calls++;
        if (calls === 1) await held;
        return {};
      },
    };
    const service = await createTestService({ http });
    const running = service.run([{ type: "http_request", key: "rate", url: RATE }]);
    await until(() => calls > 0);
    const next = await service.crash();
    const [run] = (await next.stepwell.runs.list(next.app)).items;
    expect(await next.stepwell.runs.wait(next.app, run?.id ?? "")).toMatchObject({ status: "succeeded" });
    expect(calls).toBe(2);
    release();
    expect((await running).status).toBe("succeeded");
    await next.close();
    await service.close();
  });
});

describe("scriptedModel", () => {
  it.each([false, true])("answers, calls tools and fails as scripted, streamed: %s", async (stream) => {
    const fake = scriptedModel([
      { calls: [{ name: "files_count", input: {} }] },
      "There are two.",
      new Error("no more"),
    ]);
    const files = defineService({
      name: "counts",
      actions: { all: { input: v.object({}), output: v.number(), run: () => 2 } },
    });
    const ask: StepOf<"model"> = {
      type: "model",
      key: "ask",
      provider: {
        provider: "fake",
        model: "any",
        messages: "How many?",
        tools: [{ type: "service", service: "counts", action: "all", name: "files_count" }],
        features: { stream },
      },
    };
    const service = await createTestService({ models: { fake }, services: [files] });
    expect(await service.run([ask])).toMatchObject({ output: { text: "There are two.", iterations: 2 } });
    expect(fake.requests).toHaveLength(2);
    expect(JSON.stringify(fake.requests[1])).toContain("How many?");
    await service.close();
  });
});
