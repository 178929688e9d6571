/** Runs as OpenTelemetry spans, recorded by its SDK. */
import { SpanStatusCode } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { expect, it } from "vitest";
import { openTelemetry } from "../../adapters/telemetry/opentelemetry.ts";
import { createTestService } from "../../src/testing/index.ts";

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
