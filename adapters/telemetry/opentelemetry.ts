/** Reports runs and their steps as OpenTelemetry spans with their actual start and end times. */
import { type Attributes, ROOT_CONTEXT, type Span, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import type { Run, RunError, Telemetry } from "../../src/index.ts";
import { omitUndefined } from "../../src/json.ts";

/** Options of {@link openTelemetry}. */
export interface OpenTelemetryOptions {
  /** Tracer that creates the spans. @default the tracer `stepwell` of the global provider */
  readonly tracer?: Tracer;
}

/**
 * Creates a telemetry adapter, which exports a run and its steps as spans when the run ends. A run that another process
 * resumed, or that waited for days, is still a single span. Requires the package `@opentelemetry/api`.
 *
 * @example
 * ```ts
 * const stepwell = createStepwell({ telemetry: openTelemetry() });
 * ```
 */
export function openTelemetry({ tracer = trace.getTracer("stepwell") }: OpenTelemetryOptions = {}): Telemetry {
  return {
    runEnded(run) {
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
