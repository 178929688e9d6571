/**
 * Creates the progress of a run. Decides without side effects: the same outcomes in the same order always lead to the same
 * state, so a run can resume from its journal alone.
 */
import { isRecord } from "../../json.ts";
import type { RunError } from "../../runs/run.ts";
import type { Edge } from "../../workflows/graph.ts";
import type { CompiledForEach } from "../compile/compile-policies.ts";
import type { CompiledStep, Plan } from "../compile/plan.ts";
import type { BaseScope } from "../expressions/expression-scope.ts";
import { holds } from "../expressions/holds.ts";
import { failureOf } from "../step-error.ts";
import { catchError } from "./catch-error.ts";
import { edgesOfRoute, edgesTaken, NO_EDGE } from "./edges-taken.ts";
import {
  checkedItems,
  createForEachState,
  type ForEachState,
  type ItemResults,
  itemsOf,
  withItems,
} from "./for-each.ts";
import { afterLoop, type LoopState } from "./loop-state.ts";
import { createOpenTasks, SHORT_WAIT_MS } from "./open-tasks.ts";
import { openWait } from "./open-wait.ts";
import { NOT_CONTINUED, type Progress } from "./progress.ts";
import { createReachedSteps } from "./reached-steps.ts";
import { createReceivedEvents } from "./received-events.ts";
import { historyOf, type StepHistories, withOutcome } from "./step-history.ts";
import { createStepScopes } from "./step-scopes.ts";
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

export function createProgress(plan: Plan, base: BaseScope, { retriedAt, continuedAt } = NOT_CONTINUED): Progress {
  const { graph, steps, pace } = plan;
  const states = new Array<StepState | undefined>(steps.length);
  const reached = createReachedSteps(graph);
  const loops = new Map<number, LoopState>();
  const repeated = new Map<number, ForEachState>();
  /** Results of steps with `for_each` that the run keeps from before it was retried. */
  const kept = new Map<number, ItemResults>();
  const readyAt = new Map<number, number>();
  const tasks = createOpenTasks();
  const received = createReceivedEvents(tasks);
  const scopes = createStepScopes(plan, base, states);
  let histories: StepHistories;
  let failure: RunError | null = null;
  let next: Task[] = [];
  /** Steps left for a later turn of the event loop. */
  let backlog: { readonly ready: number[]; readonly at: number } | null = null;
  let dropped: Task[] = [];
  const order: number[] = [];

  const scopeAt = (index: number, at: number, ended?: StepState) => scopes.scopeAt(index, at, loops.get(index), ended);

  /** Settles all steps that need no execution, starting with these, until the run fails or must pause. */
  function advance(ready: number[], at: number): void {
    for (let index = ready.shift(); index !== undefined && failure === null; index = ready.shift()) {
      if (pace.isDue()) {
        backlog = { ready: [index, ...ready], at };
        return;
      }
      const compiled = steps[index];
      if (compiled !== undefined) for (const step of enterStep(compiled, index, at)) ready.push(step);
    }
  }

  /** Enters a ready step. Returns the steps that become ready if it settles immediately. */
  function enterStep(compiled: CompiledStep, index: number, at: number): number[] {
    if (!reached.isReached(index)) return settleStep(index, skippedState(null), NO_EDGE);
    const { conditional, executable, loop, policies } = compiled;
    try {
      if (conditional !== undefined && !holds(conditional, scopeAt(index, at), "conditional")) {
        return settleStep(index, skippedState(at), edgesTaken(compiled, null));
      }
      if (executable.kind === "pure" && loop === undefined) {
        const output = executable.evaluate(scopeAt(index, at));
        return settleStep(index, succeededState(output, at), edgesTaken(compiled, output));
      }
      readyAt.set(index, at);
      if (policies.forEach !== undefined) return enterItems(compiled, policies.forEach, index, at);
      openTask(compiled, index, at, runningState(at));
      return [];
    } catch (error) {
      return failStep(compiled, index, failedState(failureOf(error), at));
    }
  }

  function enterItems(compiled: CompiledStep, forEach: CompiledForEach, index: number, at: number): number[] {
    const each = createForEachState(checkedItems(forEach.items(scopeAt(index, at))), forEach);
    repeated.set(index, each);
    if (each.isDone()) return settleStep(index, succeededState([], at), edgesTaken(compiled, []));
    states[index] = runningState(at);
    beginItems(index, each);
    return [];
  }

  function beginItems(index: number, each: ForEachState): void {
    for (const item of each.begin()) next.push(tasks.open(index, item));
  }

  /** Opens the task of a step, which waits or is one of those to execute next. */
  function openTask({ executable, policies }: CompiledStep, index: number, at: number, state: StepState): void {
    readyAt.set(index, at);
    const waits = executable.kind === "wait";
    states[index] = waits ? { ...state, status: "waiting" } : state;
    if (!waits) return void next.push(tasks.open(index, null));
    const wait = openWait(executable, scopeAt(index, at), Math.max(at, retriedAt), policies.waitLimitMs);
    tasks.openWaiting(index, wait, false);
  }

  /** Settles a step and takes its edges. Returns the steps that become ready. */
  function settleStep(index: number, state: StepState, isTaken: (edge: Edge) => boolean): number[] {
    states[index] = state;
    order.push(index);
    if (index === graph.start && isRecord(state.output)) scopes.setInput(state.output);
    return reached.leave(index, isTaken);
  }

  /** Continues at the catch route for the error, at the destinations if errors are not thrown, or fails the run. */
  function failStep(compiled: CompiledStep, index: number, state: StepState): number[] {
    const { key, throw_on_error } = compiled.step;
    const { route, error } = catchError(compiled.policies.routes, state, () => scopeAt(index, readyAt.get(index) ?? 0));
    if (route !== null) return settleStep(index, { ...state, caughtBy: route }, edgesOfRoute(route));
    if (throw_on_error === false) return settleStep(index, { ...state, caughtBy: null }, edgesTaken(compiled, null));
    const { code, message } = error ?? { code: "step_failed", message: "The step failed." };
    failure ??= { code, message, step: key };
    states[index] = { ...state, error };
    order.push(index);
    return [];
  }

  /** Continues after an iteration: with the next one, or with the end of the step. */
  function afterIteration(compiled: CompiledStep, index: number, state: StepState, outcome: Outcome): number[] {
    const { loop, policies } = compiled;
    const end = () => settleStep(index, state, edgesTaken(compiled, state.output));
    if (state.status === "failed") return failStep(compiled, index, state);
    if (loop === undefined || outcome.kept === "whole") return end();
    const at = state.finished_at ?? 0;
    const restarted = { ...state, status: "running", output: null, finished_at: null } as const;
    if (failure !== null) {
      states[index] = restarted;
      return [];
    }
    try {
      const after = afterLoop(loop, scopeAt(index, at, state), loops.get(index), state, outcome.continues);
      if (after === null) return end();
      loops.set(index, after);
      const delay = policies.loopDelayMs;
      if (delay === 0) openTask(compiled, index, at, restarted);
      else {
        readyAt.set(index, at + delay);
        tasks.openWaiting(index, { wakeUp: { kind: "execute", at: at + delay } }, delay <= SHORT_WAIT_MS);
        states[index] = { ...restarted, status: "waiting" };
      }
      return [];
    } catch (error) {
      return failStep(compiled, index, { ...state, status: "failed", output: null, error: failureOf(error) });
    }
  }

  /** Continues after an item: with the next ones, or with the end of the step. */
  function afterItem(compiled: CompiledStep, each: ForEachState, { index, item }: Task, outcome: Outcome): number[] {
    const state = withItem(states[index] ?? runningState(outcome.started_at), outcome, item ?? undefined);
    const error = each.settle(item ?? 0, outcome);
    if (error === null && !each.isDone()) {
      states[index] = state;
      if (failure === null) beginItems(index, each);
      return [];
    }
    const results = each.results();
    const ended = { ...state, ...itemsOf(results), error, finished_at: outcome.finished_at };
    if (error === null) {
      const { output } = results;
      return settleStep(index, { ...ended, status: "succeeded", output }, edgesTaken(compiled, output));
    }
    dropped = [...dropped, ...tasks.closeAll(index)];
    return failStep(compiled, index, { ...ended, status: "failed" });
  }

  function settleTask(task: Task, outcome: Outcome): number[] {
    const { index, item } = task;
    const compiled = steps[index];
    if (compiled === undefined) return [];
    const before = loops.get(index)?.state;
    if (outcome.retry !== undefined) {
      tasks.waitForAttempt(task, withEarlierLog(outcome, tasks.earlierAttempts(task)), outcome.retry.at);
      const state = states[index] ?? runningState(outcome.started_at);
      states[index] = item === null ? awaitingAttempt(state, outcome, before) : state;
      return [];
    }
    received.note(task, outcome);
    const whole = withEarlierLog(outcome, tasks.close(task));
    const part = compiled.loop === undefined ? (item ?? undefined) : (loops.get(index)?.iteration ?? 0);
    histories = withOutcome(histories, index, part, outcome);
    const each = repeated.get(index);
    if (each !== undefined && item !== null) {
      return afterItem(compiled, each, task, whole);
    }
    const waitsSince = compiled.executable.kind === "wait" ? states[index]?.started_at : undefined;
    return afterIteration(compiled, index, settledState(whole, waitsSince, before, part), outcome);
  }

  /** Like {@link settleTask}, for a step with `for_each`. The output has the results of its items. */
  function restoreItems(compiled: CompiledStep, index: number, outcome: Outcome): number[] {
    const each = repeated.get(index);
    const results = outcome.output as unknown as ItemResults; // as `itemResults` returned it
    tasks.closeAll(index);
    histories = withOutcome(histories, index, undefined, outcome);
    if (outcome.kept === "items") {
      if (each === undefined) return [];
      each.restore(results);
      states[index] = withItem(states[index] ?? runningState(outcome.started_at), outcome, undefined);
      beginItems(index, each);
      return [];
    }
    kept.set(index, results);
    const ended = settledState({ ...outcome, output: results.output }, undefined, undefined, undefined);
    const state = { ...ended, ...itemsOf(results) };
    if (state.status === "failed") return failStep(compiled, index, state);
    return settleStep(index, state, edgesTaken(compiled, state.output));
  }

  /** Applies outcomes and settles everything that follows. */
  function apply(change: () => number[], at: number): readonly Task[] {
    next = [];
    advance(change(), at);
    return next;
  }

  function stateOf(index: number): StepState | undefined {
    const state = states[index];
    const each = repeated.get(index);
    if (state === undefined || each === undefined || state.items !== undefined) return state;
    return withItems(state, each.results(), tasks.allWait(index));
  }

  return {
    state: stateOf,
    log: (index) => states[index]?.logs ?? [],
    loop: (index) => (steps[index]?.executable.kind === "wait" ? undefined : loops.get(index)),
    history: (index) => historyOf(histories, index),
    itemResults: (index) => kept.get(index) ?? repeated.get(index)?.results(),
    scope({ index, item }) {
      const at = readyAt.get(index) ?? 0;
      const each = repeated.get(index);
      return each === undefined || item === null ? scopeAt(index, at) : scopes.itemScopeAt(index, at, each, item);
    },
    iteration: ({ index, item }) => (item ?? loops.get(index)?.iteration ?? 0) + 1,
    earlierAttempts: tasks.earlierAttempts,
    keyAttempts: tasks.keyAttempts,
    task: tasks.find,
    start: (at) => apply(reached.roots, at),
    settle: (task, outcome) => apply(() => settleTask(task, outcome), outcome.finished_at),
    restore(index, outcome) {
      const compiled = steps[index];
      if (compiled === undefined || !tasks.hasAny(index)) return [];
      const task = tasks.find(index, null);
      const change = () => (task === undefined ? restoreItems(compiled, index, outcome) : settleTask(task, outcome));
      return apply(change, Math.max(outcome.finished_at, continuedAt));
    },
    wake(task) {
      tasks.wake(task);
      const state = states[task.index];
      if (task.item === null && state !== undefined) states[task.index] = { ...state, status: "running", error: null };
      return task;
    },
    isPaused: () => backlog !== null || pace.isDue(),
    resume() {
      const left = backlog;
      backlog = null;
      return left === null ? [] : apply(() => left.ready, left.at);
    },
    executable: tasks.executable,
    takeDropped() {
      const taken = dropped;
      dropped = [];
      return taken;
    },
    // Methods, because an object literal with getters would give each run a hidden class that V8 keeps alive.
    open: tasks.count,
    waiting: tasks.waiting,
    failure: () => failure,
    ...{ wakeUps: tasks.wakeUps, eventWaits: tasks.eventWaits, inputTasks: tasks.inputs },
    waitingFor: received.waitingFor,
    order,
  };
}
