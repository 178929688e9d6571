/** Tells those who follow a run what is stored of it, as it comes to be. */
import type { Run } from "../../runs/run.ts";
import type { Plan } from "../compile/compile.ts";
import type { Progress } from "../state/progress.ts";
import { showStep } from "../state/run-document.ts";
import type { EventHub } from "./event-bus.ts";
import { endEvents, passing, settledEvent } from "./run-events.ts";

export interface Telling {
  started(key: string, at: string): void;
  log(key: string, at: string, lines: readonly string[]): void;
  /** A piece of a text that a step is writing. */
  wrote(key: string, at: string, text: string): void;
  /** Everything that has settled or come to wait since it was last called. */
  settled(at: string): void;
  ended(at: string, shown: () => Run): void;
}

export function createTelling(parts: {
  runId: string;
  plan: Plan;
  progress: Progress;
  events: EventHub;
  /** How many events with numbers came before the last retry of the run. */
  before: number;
}): Telling {
  const { runId, plan, progress, events, before } = parts;
  /** Steps of which it was told that they have settled. */
  let told = progress.order.length;
  const waiting = new Set<number>();

  function tellWaiting(at: string): void {
    for (const [index, { step }] of plan.steps.entries()) {
      if (progress.state(index)?.status !== "waiting") waiting.delete(index);
      else if (!waiting.has(index)) {
        waiting.add(index);
        events.emit(passing("step.waiting", runId, step.key, at));
      }
    }
  }

  function settled(at: string): void {
    if (!events.isFollowed(runId)) {
      told = progress.order.length;
      return;
    }
    for (; told < progress.order.length; told++) {
      events.emit(settledEvent(runId, showStep(plan, progress, progress.order[told] ?? -1, null), before + told + 1));
    }
    if (progress.waiting() > 0) tellWaiting(at);
  }

  return {
    started(key, at) {
      if (events.isFollowed(runId)) events.emit(passing("step.started", runId, key, at));
    },
    log(key, at, lines) {
      if (!events.isFollowed(runId)) return;
      events.emit({ type: "step.log", run_id: runId, step: key, at, lines: [...lines] });
    },
    wrote(key, at, text) {
      if (events.isFollowed(runId)) events.emit({ type: "step.delta", run_id: runId, step: key, at, text });
    },
    settled,
    ended(at, shown) {
      settled(at);
      if (!events.isFollowed(runId)) return;
      for (const event of endEvents(shown(), before + told)) events.emit(event);
    },
  };
}
