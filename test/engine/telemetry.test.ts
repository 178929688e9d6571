/** Runs as OpenTelemetry spans, recorded by its SDK. */
import { SpanStatusCode } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import { openTelemetry } from "../../adapters/telemetry/opentelemetry.ts";
import { createStepwell, defineService } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/clock.ts";
import { createTestService } from "../../src/testing/index.ts";
import { createGate } from "../support/gate.ts";
import { openMeter } from "../support/telemetry/meter.ts";

async function open() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const telemetry = openTelemetry({ tracer: provider.getTracer("test") });
  return { exporter, telemetry };
}

it("OpenTelemetry gets a span for a run and a child span for each executed step", async () => {
  const { exporter, telemetry } = await open();
  const service = await createTestService({ telemetry, http: { "GET https://example.com/": [{ status: 418 }] } });
  const run = await service.run([
    { type: "note", key: "first", note: "", destinations: ["call"] },
    { type: "http_request", key: "call", url: "https://example.com/", destinations: ["never"] },
    { type: "note", key: "never", note: "" },
  ]);
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ name }) => name)).toEqual(["stepwell.step first", "stepwell.step call", "stepwell.run"]);
  const [, call, whole] = spans;
  expect(call?.parentSpanContext?.spanId).toBe(whole?.spanContext().spanId);
  expect(whole?.parentSpanContext).toBeUndefined();
  expect(whole?.attributes).toMatchObject({ "stepwell.run.id": run.id, "stepwell.run.status": "failed" });
  expect(call).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { "error.type": "http_status", "stepwell.step.attempts": 1 },
  });
  const [seconds = 0, nanoseconds = 0] = whole?.endTime ?? [];
  expect(seconds * 1_000 + nanoseconds / 1_000_000).toBe(Date.parse(run.finished_at ?? ""));
  await service.close();
});

it("telemetry gets child runs and runs without waits; a telemetry error fails no run", async () => {
  const { exporter, telemetry } = await open();
  const service = await createTestService({ telemetry });
  const child = await service.run([{ type: "note", key: "n", note: "" }]);
  await service.run([{ type: "workflow", key: "child", input: null, workflow_id: child.workflow_id }]);
  expect(exporter.getFinishedSpans().filter(({ name }) => name === "stepwell.run")).toHaveLength(3);
  await service.close();

  const broken = await createTestService({
    telemetry: {
      runEnded() {
        throw new Error("no exporter");
      },
    },
  });
  expect((await broken.run([{ type: "note", key: "n", note: "" }])).status).toBe("succeeded");
  await broken.close();
});

describe("metrics", () => {
  it("count ended runs and steps, runs that execute and that are queued, and commits", async () => {
    const meter = openMeter();
    const gate = createGate();
    const clock = createTestClock();
    const wait = defineService({
      name: "host",
      actions: {
        wait: {
          input: v.object({}),
          output: v.null(),
          run: async () => {
            await gate.released;
            return null;
          },
        },
      },
    });
    const service = await createTestService({
      telemetry: meter.telemetry,
      services: [wait],
      limits: { concurrentRuns: 1 },
      clock,
    });
    await service.run([{ type: "note", key: "n", note: "" }]);
    expect(await meter.collect()).toMatchObject({
      "stepwell.run.duration succeeded": 1,
      "stepwell.step.duration note succeeded": 1,
      "stepwell.storage.commit.duration stored": expect.any(Number),
      "stepwell.runs.running": 0,
      "stepwell.runs.queued": 0,
      "stepwell.runs.queued.age": 0,
    });

    const waits = () =>
      service.run([{ type: "service", key: "wait", service: { service: "host", action: "wait", input: {} } }]);
    const runs = [waits(), waits(), waits()];
    await expect.poll(async () => (await meter.collect())["stepwell.runs.queued"]).toBe(2);
    await clock.advance("5s");
    expect(await meter.collect()).toMatchObject({
      "stepwell.runs.running": 1,
      "stepwell.runs.queued": 2,
      "stepwell.runs.queued.age": 5,
    });
    gate.release();
    await Promise.all(runs);
    expect(await meter.collect()).toMatchObject({
      "stepwell.run.duration succeeded": 4,
      "stepwell.runs.running": 0,
      "stepwell.runs.queued": 0,
    });
    await service.close();
    await meter.close();
  });

  it("count flushes and the commits that each has stored together", async () => {
    const meter = openMeter();
    const flushes: number[] = [];
    const { telemetry } = meter;
    const stepwell = createStepwell({
      storage: { entities: memoryDriver() },
      telemetry: {
        ...telemetry,
        flushed(flush) {
          flushes.push(flush.commits);
          telemetry.flushed?.(flush);
        },
      },
    });
    await stepwell.ready();
    const before = flushes.length;
    await Promise.all(["a", "b", "c"].map((name) => stepwell.apps.create({ name })));
    expect(flushes.slice(before)).toEqual([3]);
    expect(await meter.collect()).toMatchObject({
      "stepwell.storage.flush.commits": flushes.length,
      "stepwell.storage.flush.duration": flushes.length,
    });
    await stepwell.close();
    await meter.close();
  });
});
