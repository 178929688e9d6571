/** Emits the events of a run in memory, each once after its cause is stored. */
import { omitUndefined } from "../../json.ts";
import type { Run } from "../../runs/run.ts";
import type { Plan } from "../compile/plan.ts";
import type { Progress } from "../progress/progress.ts";
import { showStep } from "../state/run-view.ts";
import type { EventBus } from "./event-bus.ts";
import { ephemeralEvent, runEndEvents, stepSettledEvent } from "./run-events.ts";

export interface RunEventEmitter {
  /** @param item Index of the item, or null for a whole step. */
  emitStepStarted(key: string, at: string, item: number | null): void;
  emitLog(key: string, at: string, lines: readonly string[], item: number | null): void;
  /** Emits a piece of the text that a step is generating. */
  emitDelta(key: string, at: string, text: string, item: number | null): void;
  /** Emits all steps that have settled or begun to wait since the last call. */
  emitSettledSteps(at: string): void;
  /** @param show Returns the ended run; called only if the run has subscribers. */
  emitRunEnd(at: string, show: () => Run): void;
}

export function createRunEventEmitter(parts: {
  runId: string;
  plan: Plan;
  progress: Progress;
  bus: EventBus;
  /** Number of numbered events before the run's last retry. */
  eventsBeforeRetry: number;
}): RunEventEmitter {
  const { runId, plan, progress, bus, eventsBeforeRetry } = parts;
  /** Number of settled steps emitted so far, in the order in which they settled. */
  let emitted = progress.order.length;
  const waiting = new Set<number>();

  function emitWaitingSteps(at: string): void {
    for (const [index, { step }] of plan.steps.entries()) {
      if (progress.state(index)?.status !== "waiting") waiting.delete(index);
      else if (!waiting.has(index)) {
        waiting.add(index);
        bus.emit(ephemeralEvent("step.waiting", runId, step.key, at));
      }
    }
  }

  function emitSettledSteps(at: string): void {
    if (!bus.hasSubscribers(runId)) {
      emitted = progress.order.length;
      return;
    }
    for (; emitted < progress.order.length; emitted++) {
      const step = showStep(plan, progress, progress.order[emitted] ?? -1, null);
      bus.emit(stepSettledEvent(runId, step, eventsBeforeRetry + emitted + 1));
    }
    if (progress.waiting() > 0) emitWaitingSteps(at);
  }

  return {
    emitStepStarted(key, at, item) {
      if (!bus.hasSubscribers(runId)) return;
      const started = { type: "step.started", run_id: runId, step: key, at } as const;
      bus.emit(omitUndefined({ ...started, item: item ?? undefined }));
    },
    emitLog(key, at, lines, item) {
      if (!bus.hasSubscribers(runId)) return;
      const log = { type: "step.log", run_id: runId, step: key, at } as const;
      bus.emit(omitUndefined({ ...log, lines: [...lines], item: item ?? undefined }));
    },
    emitDelta(key, at, text, item) {
      if (!bus.hasSubscribers(runId)) return;
      const delta = { type: "step.delta", run_id: runId, step: key, at, text } as const;
      bus.emit(omitUndefined({ ...delta, item: item ?? undefined }));
    },
    emitSettledSteps,
    emitRunEnd(at, show) {
      emitSettledSteps(at);
      if (!bus.hasSubscribers(runId)) return;
      for (const event of runEndEvents(show(), eventsBeforeRetry + emitted)) bus.emit(event);
    },
  };
}
