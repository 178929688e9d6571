/** Reports runs and their steps as OpenTelemetry spans with their actual start and end times, and metrics of the service. */
import {
  type Attributes,
  type Meter,
  metrics,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Run, RunError, Telemetry } from "../../src/index.ts";
import { omitUndefined } from "../../src/json.ts";
import { createServiceMetrics } from "./service-metrics.ts";

/** Options of {@link openTelemetry}. */
export interface OpenTelemetryOptions {
  /** Tracer that creates the spans. @default the tracer `stepwell` of the global provider */
  readonly tracer?: Tracer;
  /** Meter that creates the metrics. @default the meter `stepwell` of the global provider */
  readonly meter?: Meter;
}

/**
 * Creates a telemetry adapter. Requires the package `@opentelemetry/api`.
 *
 * It exports a run and its steps as spans when the run ends. A run that another process resumed, or that waited for days, is
 * still a single span.
 *
 * It has these metrics, whose attributes have few values:
 * - `stepwell.run.duration`, a histogram in seconds, from the creation of a run to its end. Attribute: `stepwell.run.status`.
 * - `stepwell.step.duration`, a histogram in seconds, of each step that ran. Attributes: `stepwell.step.type`,
 *   `stepwell.step.status`.
 * - `stepwell.runs.running`, a gauge: runs that execute.
 * - `stepwell.runs.queued`, a gauge: runs that wait for a slot.
 * - `stepwell.runs.queued.age`, a gauge in seconds: how long the first of them has waited.
 * - `stepwell.storage.commit.duration`, a histogram in seconds. Attribute: `stepwell.storage.outcome`, which is `stored`,
 *   `conflict` (another request changed the same document; it is repeated) or `failed` (the storage is unavailable).
 * - `stepwell.storage.flush.duration`, a histogram in seconds, and `stepwell.storage.flush.commits`, a histogram: how long a flush
 *   took, and how many commits it has stored together. Not in memory and on `redisStore()`, which store each commit alone.
 *
 * With the option `cluster`, also these. One process at a time reports the gauges, so that sums over all processes are right:
 * - `stepwell.cluster.runs.queued`, a gauge: runs that no worker has taken.
 * - `stepwell.cluster.runs.queued.age`, a gauge in seconds: how long the reporting process has seen the first of them wait.
 * - `stepwell.cluster.processes`, a gauge. Attribute: `stepwell.cluster.works`, whether they execute runs.
 * - `stepwell.cluster.processes.lost`, a counter: processes that did not respond, so that others took over their runs.
 *
 * @example
 * ```ts
 * const stepwell = createStepwell({ telemetry: openTelemetry() });
 * ```
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  const { tracer = trace.getTracer("stepwell"), meter = metrics.getMeter("stepwell") } = options;
  const { created, committed, flushed, countRun } = createServiceMetrics(meter);
  return {
    created,
    committed,
    flushed,
    runEnded(run) {
      countRun(run);
      const span = tracer.startSpan("stepwell.run", {
        root: true,
        startTime: new Date(run.created_at),
        attributes: runAttributes(run),
      });
      const within = trace.setSpan(ROOT_CONTEXT, span);
      for (const step of run.steps) {
        if (step.started_at === null) continue; // never reached
        const { key, type, status, attempts } = step;
        const attributes = {
          "stepwell.step.key": key,
          "stepwell.step.type": type,
          "stepwell.step.status": status,
          "stepwell.step.attempts": attempts,
        };
        const startTime = new Date(step.started_at);
        const child = tracer.startSpan(`stepwell.step ${key}`, { startTime, attributes }, within);
        finish(child, step.error, step.finished_at ?? run.finished_at);
      }
      finish(span, run.error, run.finished_at);
    },
  };
}

function runAttributes(run: Run): Attributes {
  return {
    "stepwell.run.id": run.id,
    "stepwell.run.status": run.status,
    "stepwell.app.id": run.app_id,
    "stepwell.workflow.id": run.workflow_id,
    "stepwell.workflow.version": run.version,
    ...omitUndefined({ "stepwell.run.parent_id": run.parent_run_id ?? undefined }),
  };
}

function finish(span: Span, error: RunError | null, at: string | null): void {
  if (error !== null) {
    span.setAttribute("error.type", error.code);
    span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
  }
  span.end(at === null ? undefined : new Date(at));
}
