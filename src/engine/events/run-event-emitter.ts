/** Emits the events of a run in memory, each once after its cause is stored. */
import { omitUndefined } from "../../json.ts";
import type { Run, RunError } from "../../runs/run.ts";
import type { Plan } from "../compile/plan.ts";
import type { Progress } from "../progress/progress.ts";
import { showStep } from "../state/run-view.ts";
import type { EventBus } from "./event-bus.ts";
import { ephemeralEvent, runEndEvents, stepSettledEvent } from "./run-events.ts";

export class RunEventEmitter {
  private readonly runId: string;
  private readonly plan: Plan;
  private readonly progress: Progress;
  private readonly bus: EventBus;
  private readonly eventsBeforeRetry: number;
  /** Number of settled steps emitted so far, in the order in which they settled. */
  private emitted: number;
  /** Indexes of the steps that subscribers know to be waiting. */
  private waiting: Set<number> | undefined;

  /** @param eventsBeforeRetry Number of numbered events before the run's last retry. */
  constructor(runId: string, plan: Plan, progress: Progress, bus: EventBus, eventsBeforeRetry: number) {
    this.runId = runId;
    this.plan = plan;
    this.progress = progress;
    this.bus = bus;
    this.eventsBeforeRetry = eventsBeforeRetry;
    this.emitted = progress.order.length;
  }

  /** @param item Index of the item, or null for a whole step. */
  emitStepStarted(key: string, at: string, item: number | null): void {
    if (!this.hasSubscribers()) return;
    const started = { type: "step.started", run_id: this.runId, step: key, at } as const;
    this.bus.emit(omitUndefined({ ...started, item: item ?? undefined }));
  }

  emitLog(key: string, at: string, lines: readonly string[], item: number | null): void {
    if (!this.hasSubscribers()) return;
    const log = { type: "step.log", run_id: this.runId, step: key, at } as const;
    this.bus.emit(omitUndefined({ ...log, lines: [...lines], item: item ?? undefined }));
  }

  /** Emits a piece of the text that a step is generating. */
  emitDelta(key: string, at: string, text: string, item: number | null): void {
    if (!this.hasSubscribers()) return;
    const delta = { type: "step.delta", run_id: this.runId, step: key, at, text } as const;
    this.bus.emit(omitUndefined({ ...delta, item: item ?? undefined }));
  }

  /** Emits that an attempt has failed that another one follows. */
  emitRetrying(
    key: string,
    at: string,
    failed: { readonly attempt: number; readonly error: RunError; readonly next_at: string },
    item: number | null,
  ): void {
    if (!this.hasSubscribers()) return;
    const retrying = { type: "step.retrying", run_id: this.runId, step: key, at, ...failed } as const;
    this.bus.emit(omitUndefined({ ...retrying, item: item ?? undefined }));
  }

  /** Emits all steps that have settled or begun to wait since the last call. */
  emitSettledSteps(at: string): void {
    const { order } = this.progress;
    if (!this.hasSubscribers()) {
      this.emitted = order.length;
      return;
    }
    for (; this.emitted < order.length; this.emitted++) {
      const step = showStep(this.plan, this.progress, order[this.emitted] ?? -1, null);
      this.bus.emit(stepSettledEvent(this.runId, step, this.eventsBeforeRetry + this.emitted + 1));
    }
    if (this.progress.waiting() > 0) this.emitWaitingSteps(at);
  }

  /** @param show Returns the ended run; called only if the run has subscribers. */
  emitRunEnd(at: string, show: () => Run): void {
    this.emitSettledSteps(at);
    if (!this.hasSubscribers()) return;
    for (const event of runEndEvents(show(), this.eventsBeforeRetry + this.emitted)) this.bus.emit(event);
  }

  private hasSubscribers(): boolean {
    return this.bus.hasSubscribers(this.runId);
  }

  private emitWaitingSteps(at: string): void {
    this.waiting ??= new Set();
    for (const [index, { step }] of this.plan.steps.entries()) {
      if (this.progress.state(index)?.status !== "waiting") this.waiting.delete(index);
      else if (!this.waiting.has(index)) {
        this.waiting.add(index);
        this.bus.emit(ephemeralEvent("step.waiting", this.runId, step.key, at));
      }
    }
  }
}
