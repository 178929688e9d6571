/** Tells those who follow a run what is stored of it, as it comes to be. */
import type { Run } from "../../runs/run.ts";
import type { Plan } from "../compile/compile.ts";
import type { Progress } from "../state/progress.ts";
import { showStep } from "../state/run-document.ts";
import type { EventBus } from "./event-bus.ts";
import { ephemeralEvent, runEndEvents, stepSettledEvent } from "./run-events.ts";

export interface RunEventEmitter {
  started(key: string, at: string): void;
  log(key: string, at: string, lines: readonly string[]): void;
  /** A piece of a text that a step is writing. */
  wrote(key: string, at: string, text: string): void;
  /** Everything that has settled or come to wait since it was last called. */
  settled(at: string): void;
  ended(at: string, shown: () => Run): void;
}

export function createRunEventEmitter(parts: {
  runId: string;
  plan: Plan;
  progress: Progress;
  events: EventBus;
  /** How many events with numbers came before the last retry of the run. */
  before: number;
}): RunEventEmitter {
  const { runId, plan, progress, events, before } = parts;
  /** Steps of which it was told that they have settled. */
  let told = progress.order.length;
  const waiting = new Set<number>();

  function tellWaiting(at: string): void {
    for (const [index, { step }] of plan.steps.entries()) {
      if (progress.state(index)?.status !== "waiting") waiting.delete(index);
      else if (!waiting.has(index)) {
        waiting.add(index);
        events.emit(ephemeralEvent("step.waiting", runId, step.key, at));
      }
    }
  }

  function settled(at: string): void {
    if (!events.hasSubscribers(runId)) {
      told = progress.order.length;
      return;
    }
    for (; told < progress.order.length; told++) {
      events.emit(
        stepSettledEvent(runId, showStep(plan, progress, progress.order[told] ?? -1, null), before + told + 1),
      );
    }
    if (progress.waiting() > 0) tellWaiting(at);
  }

  return {
    started(key, at) {
      if (events.hasSubscribers(runId)) events.emit(ephemeralEvent("step.started", runId, key, at));
    },
    log(key, at, lines) {
      if (!events.hasSubscribers(runId)) return;
      events.emit({ type: "step.log", run_id: runId, step: key, at, lines: [...lines] });
    },
    wrote(key, at, text) {
      if (events.hasSubscribers(runId)) events.emit({ type: "step.delta", run_id: runId, step: key, at, text });
    },
    settled,
    ended(at, shown) {
      settled(at);
      if (!events.hasSubscribers(runId)) return;
      for (const event of runEndEvents(shown(), before + told)) events.emit(event);
    },
  };
}
