/**
 * The progress of a run: which steps have settled, and which tasks to execute next. Decides without side effects: the same
 * outcomes in the same order always lead to the same state, so a run can resume from its journal alone.
 */
import { isRecord } from "../../json.ts";
import type { Edge } from "../../workflows/graph.ts";
import type { CompiledForEach } from "../compile/compile-policies.ts";
import type { CompiledStep, Plan } from "../compile/plan.ts";
import type { BaseScope } from "../expressions/expression-scope.ts";
import { holds } from "../expressions/holds.ts";
import { failureOf } from "../step-error.ts";
import { catchError } from "./catch-error.ts";
import { edgesOfRoute, edgesTaken, NO_EDGE } from "./edges-taken.ts";
import { checkedItems, createForEachState, type ForEachState, type ItemResults, itemsOf } from "./for-each.ts";
import { afterLoop } from "./loop-state.ts";
import { SHORT_WAIT_MS } from "./open-tasks.ts";
import { openWait } from "./open-wait.ts";
import { ProgressState } from "./progress-state.ts";
import { withOutcome } from "./step-history.ts";
import {
  awaitingAttempt,
  failedState,
  type Outcome,
  runningState,
  type StepState,
  settledState,
  skippedState,
  succeededState,
  withEarlierLog,
  withItem,
} from "./step-state.ts";
import type { Task } from "./task.ts";

/** When a run continued with earlier outcomes, in milliseconds since 1970. */
export interface Continued {
  /** When the run was retried: waits have their whole time limit from then. 0 if it was not. */
  readonly retriedAt: number;
  /** When a run began that keeps outcomes of another one: what follows them becomes ready then. 0 if it keeps none. */
  readonly continuedAt: number;
}

const NOT_CONTINUED: Continued = { retriedAt: 0, continuedAt: 0 };
const NO_TASKS: readonly Task[] = [];

export class Progress extends ProgressState {
  private readonly continued: Continued;
  private next: Task[] = [];
  /** Steps left for a later turn of the event loop. */
  private backlog: { readonly ready: number[]; readonly at: number } | null = null;
  private dropped: readonly Task[] = NO_TASKS;

  constructor(plan: Plan, base: BaseScope, continued = NOT_CONTINUED) {
    super(plan, base);
    this.continued = continued;
  }

  /**
   * Starts the run and returns the tasks to execute. While {@link isPaused} is true after this or {@link settle}, the
   * returned tasks are incomplete. Call {@link resume} for the others before anything else.
   */
  start(at: number): readonly Task[] {
    this.next = [];
    this.advance(this.reached.roots(), at);
    return this.next;
  }

  /**
   * Applies the outcome of an open task and returns the tasks to execute next, including one for the next iteration of the
   * same step.
   */
  settle(task: Task, outcome: Outcome): readonly Task[] {
    this.next = [];
    this.advance(this.settleTask(task, outcome), outcome.finished_at);
    return this.next;
  }

  /**
   * Applies what is kept of a step when its run is retried: its outcome, or the items that were completed. Returns the tasks
   * to execute next. Does nothing if the step has settled by itself.
   */
  restore(index: number, outcome: Outcome): readonly Task[] {
    const compiled = this.plan.steps[index];
    if (compiled === undefined || !this.tasks.hasAny(index)) return NO_TASKS;
    const task = this.tasks.find(index, null);
    this.next = [];
    const ready = task === undefined ? this.restoreItems(compiled, index, outcome) : this.settleTask(task, outcome);
    this.advance(ready, Math.max(outcome.finished_at, this.continued.continuedAt));
    return this.next;
  }

  /** Ends the wait of a task whose next attempt or iteration is due, and returns it. */
  wake(task: Task): Task {
    this.tasks.wake(task);
    const state = this.states[task.index];
    if (task.item === null && state !== undefined)
      this.states[task.index] = { ...state, status: "running", error: null };
    return task;
  }

  /** Whether to continue in a later turn of the event loop, because expressions have used up this one. */
  isPaused(): boolean {
    return this.backlog !== null || this.plan.pace.isDue();
  }

  /** Continues after a pause and returns more tasks to execute. When it is called doesn't affect the result. */
  resume(): readonly Task[] {
    const left = this.backlog;
    this.backlog = null;
    if (left === null) return NO_TASKS;
    this.next = [];
    this.advance(left.ready, left.at);
    return this.next;
  }

  /** Tasks that were dropped since the last call, because another item of their step failed. */
  takeDropped(): readonly Task[] {
    const taken = this.dropped;
    this.dropped = NO_TASKS;
    return taken;
  }

  /** Settles all steps that need no execution, starting with these, until the run fails or must pause. */
  private advance(ready: number[], at: number): void {
    for (let index = ready.shift(); index !== undefined && this.failed === null; index = ready.shift()) {
      if (this.plan.pace.isDue()) {
        this.backlog = { ready: [index, ...ready], at };
        return;
      }
      const compiled = this.plan.steps[index];
      if (compiled !== undefined) for (const step of this.enterStep(compiled, index, at)) ready.push(step);
    }
  }

  /** Enters a ready step. Returns the steps that become ready if it settles immediately. */
  private enterStep(compiled: CompiledStep, index: number, at: number): number[] {
    if (!this.reached.isReached(index)) return this.settleStep(index, skippedState(null), NO_EDGE);
    const { conditional, executable, loop, policies } = compiled;
    try {
      if (conditional !== undefined && !holds(conditional, this.scopeAt(index, at), "conditional")) {
        return this.settleStep(index, skippedState(at), edgesTaken(compiled, null));
      }
      if (executable.kind === "pure" && loop === undefined) {
        const output = executable.evaluate(this.scopeAt(index, at));
        return this.settleStep(index, succeededState(output, at), edgesTaken(compiled, output));
      }
      this.readyAt.set(index, at);
      if (policies.forEach !== undefined) return this.enterItems(compiled, policies.forEach, index, at);
      this.openTask(compiled, index, at, runningState(at));
      return [];
    } catch (error) {
      return this.failStep(compiled, index, failedState(failureOf(error), at));
    }
  }

  private enterItems(compiled: CompiledStep, forEach: CompiledForEach, index: number, at: number): number[] {
    const each = createForEachState(checkedItems(forEach.items(this.scopeAt(index, at))), forEach);
    this.repeated ??= new Map();
    this.repeated.set(index, each);
    if (each.isDone()) return this.settleStep(index, succeededState([], at), edgesTaken(compiled, []));
    this.states[index] = runningState(at);
    this.beginItems(index, each);
    return [];
  }

  private beginItems(index: number, each: ForEachState): void {
    for (const item of each.begin()) this.next.push(this.tasks.open(index, item));
  }

  /** Opens the task of a step, which waits or is one of those to execute next. */
  private openTask({ executable, policies }: CompiledStep, index: number, at: number, state: StepState): void {
    this.readyAt.set(index, at);
    const waits = executable.kind === "wait";
    this.states[index] = waits ? { ...state, status: "waiting" } : state;
    if (!waits) return void this.next.push(this.tasks.open(index, null));
    const wait = openWait(
      executable,
      this.scopeAt(index, at),
      Math.max(at, this.continued.retriedAt),
      policies.waitLimitMs,
    );
    this.tasks.openWaiting(index, wait, false);
  }

  /** Settles a step and takes its edges. Returns the steps that become ready. */
  private settleStep(index: number, state: StepState, isTaken: (edge: Edge) => boolean): number[] {
    this.states[index] = state;
    this.order.push(index);
    if (index === this.plan.graph.start && isRecord(state.output)) this.scopes.setInput(state.output);
    return this.reached.leave(index, isTaken);
  }

  /** Continues at the catch route for the error, at the destinations if errors are not thrown, or fails the run. */
  private failStep(compiled: CompiledStep, index: number, state: StepState): number[] {
    const { key, throw_on_error } = compiled.step;
    const { route, error } = catchError(compiled.policies.routes, state, () =>
      this.scopeAt(index, this.readyAt.get(index) ?? 0),
    );
    if (route !== null) return this.settleStep(index, { ...state, caughtBy: route }, edgesOfRoute(route));
    if (throw_on_error === false)
      return this.settleStep(index, { ...state, caughtBy: null }, edgesTaken(compiled, null));
    const { code, message } = error ?? { code: "step_failed", message: "The step failed." };
    this.failed ??= { code, message, step: key };
    this.states[index] = { ...state, error };
    this.order.push(index);
    return [];
  }

  /** Continues after an iteration: with the next one, or with the end of the step. */
  private afterIteration(compiled: CompiledStep, index: number, state: StepState, outcome: Outcome): number[] {
    const { loop, policies } = compiled;
    const end = () => this.settleStep(index, state, edgesTaken(compiled, state.output));
    if (state.status === "failed") return this.failStep(compiled, index, state);
    if (loop === undefined || outcome.kept === "whole") return end();
    const at = state.finished_at ?? 0;
    const restarted = { ...state, status: "running", output: null, finished_at: null } as const;
    if (this.failed !== null) {
      this.states[index] = restarted;
      return [];
    }
    try {
      const after = afterLoop(loop, this.scopeAt(index, at, state), this.loops?.get(index), state, outcome.continues);
      if (after === null) return end();
      this.loops ??= new Map();
      this.loops.set(index, after);
      const delay = policies.loopDelayMs;
      if (delay === 0) this.openTask(compiled, index, at, restarted);
      else {
        this.readyAt.set(index, at + delay);
        this.tasks.openWaiting(index, { wakeUp: { kind: "execute", at: at + delay } }, delay <= SHORT_WAIT_MS);
        this.states[index] = { ...restarted, status: "waiting" };
      }
      return [];
    } catch (error) {
      return this.failStep(compiled, index, { ...state, status: "failed", output: null, error: failureOf(error) });
    }
  }

  /** Continues after an item: with the next ones, or with the end of the step. */
  private afterItem(compiled: CompiledStep, each: ForEachState, { index, item }: Task, outcome: Outcome): number[] {
    const state = withItem(this.states[index] ?? runningState(outcome.started_at), outcome, item ?? undefined);
    const error = each.settle(item ?? 0, outcome);
    if (error === null && !each.isDone()) {
      this.states[index] = state;
      if (this.failed === null) this.beginItems(index, each);
      return [];
    }
    const results = each.results();
    const ended = { ...state, ...itemsOf(results), error, finished_at: each.finishedAt() };
    if (error === null) {
      const { output } = results;
      return this.settleStep(index, { ...ended, status: "succeeded", output }, edgesTaken(compiled, output));
    }
    this.dropped = [...this.dropped, ...this.tasks.closeAll(index)];
    return this.failStep(compiled, index, { ...ended, status: "failed" });
  }

  private settleTask(task: Task, outcome: Outcome): number[] {
    const { index, item } = task;
    const compiled = this.plan.steps[index];
    if (compiled === undefined) return [];
    const before = this.loops?.get(index)?.state;
    if (outcome.retry !== undefined) {
      this.tasks.waitForAttempt(task, withEarlierLog(outcome, this.tasks.earlierAttempts(task)), outcome.retry.at);
      const state = this.states[index] ?? runningState(outcome.started_at);
      this.states[index] = item === null ? awaitingAttempt(state, outcome, before) : state;
      return [];
    }
    this.received.note(task, outcome);
    const whole = withEarlierLog(outcome, this.tasks.close(task));
    const part = compiled.loop === undefined ? (item ?? undefined) : (this.loops?.get(index)?.iteration ?? 0);
    this.histories = withOutcome(this.histories, index, part, outcome);
    const each = this.repeated?.get(index);
    if (each !== undefined && item !== null) return this.afterItem(compiled, each, task, whole);
    const waitsSince = compiled.executable.kind === "wait" ? this.states[index]?.started_at : undefined;
    return this.afterIteration(compiled, index, settledState(whole, waitsSince, before, part), outcome);
  }

  /** Like {@link settleTask}, for a step with `for_each`. The output has the results of its items. */
  private restoreItems(compiled: CompiledStep, index: number, outcome: Outcome): number[] {
    const each = this.repeated?.get(index);
    const results = outcome.output as unknown as ItemResults; // as `itemResults` returned it
    this.tasks.closeAll(index);
    this.histories = withOutcome(this.histories, index, undefined, outcome);
    if (outcome.kept === "items") {
      if (each === undefined) return [];
      each.restore(results);
      this.states[index] = withItem(this.states[index] ?? runningState(outcome.started_at), outcome, undefined);
      this.beginItems(index, each);
      return [];
    }
    this.kept ??= new Map();
    this.kept.set(index, results);
    const ended = settledState({ ...outcome, output: results.output }, undefined, undefined, undefined);
    const state = { ...ended, ...itemsOf(results) };
    if (state.status === "failed") return this.failStep(compiled, index, state);
    return this.settleStep(index, state, edgesTaken(compiled, state.output));
  }
}
