/**
 * The progress of a run: which steps have settled, and which to execute next. Decides without side effects. The same
 * outcomes in the same order always lead to the same state, so a run can resume from its journal alone.
 */
import { isRecord } from "../../json.ts";
import type { RunError } from "../../runs/run.ts";
import type { Edge } from "../../workflows/graph.ts";
import type { CompiledStep, Plan } from "../compile/plan.ts";
import type { WakeUp } from "../execution/step-context.ts";
import type { Evaluate } from "../expressions/cel.ts";
import type { ExpressionScope, VisibleStep } from "../expressions/expression-scope.ts";
import { asRunError, asStepError, StepError } from "../step-error.ts";
import { edgesTaken, NO_EDGE } from "./edges-taken.ts";
import {
  failedState,
  type LoopState,
  type Outcome,
  runningState,
  type StepState,
  settledState,
  skippedState,
  succeededState,
  toVisibleStep,
} from "./step-state.ts";

export interface Progress {
  /** Undefined for a step that has not become ready. */
  state(index: number): StepState | undefined;
  /** The variables that a ready step sees. */
  scope(index: number): ExpressionScope;
  /** Number of the iteration that is running or comes next, from 1. */
  iteration(index: number): number;
  /**
   * Starts the run and returns the steps to execute. While {@link Progress.isPaused} is true after this or {@link
   * Progress.settle}, the returned steps are incomplete. Call {@link Progress.resume} for the others before anything
   * else.
   */
  start(at: number): readonly number[];
  /**
   * Applies the outcome of a step and returns the steps to execute next, including the same step for its next
   * iteration.
   */
  settle(index: number, outcome: Outcome): readonly number[];
  /** Whether to continue in a later turn of the event loop, because expressions have used up this one. */
  isPaused(): boolean;
  /** Continues after a pause and returns more steps to execute. When it is called doesn't affect the result. */
  resume(): readonly number[];
  /** Number of steps that are executing, ready or waiting. */
  open(): number;
  /** Number of steps that wait for input or a time. */
  waiting(): number;
  /** The wake-ups of waiting steps by step index. */
  readonly wakeUps: ReadonlyMap<number, WakeUp>;
  /** Why the run failed, or null. */
  failure(): RunError | null;
  /** Indexes of the settled steps, in the order in which they settled. */
  readonly order: readonly number[];
}

/** Maximum number of iterations of a loop. */
const MAX_ITERATIONS = 1_000;

export function createProgress(plan: Plan, base: Omit<ExpressionScope, "steps" | "now">): Progress {
  const { graph, steps, pace } = plan;
  const states = new Array<StepState | undefined>(steps.length);
  /** Number of incoming edges per step that have not settled. */
  const pendingEdges = graph.incoming.map((edges) => edges.length);
  /** Whether the run has taken any incoming edge of the step. */
  const reached = new Array<boolean>(steps.length).fill(false);
  const loops = new Map<number, LoopState>();
  const readyAt = new Map<number, number>();
  const wakeUps = new Map<number, WakeUp>();
  /** Settled steps as other steps see them, created on demand. */
  const views = new Map<number, VisibleStep>();
  /** Output of the start step, which may include file contents. Only steps after it see this. */
  let input = base.input;
  let shared: ExpressionScope | undefined;
  let open = 0;
  let waiting = 0;
  let failure: RunError | null = null;
  let next: number[] = [];
  /** Steps left for a later turn of the event loop. */
  let backlog: { readonly ready: number[]; readonly at: number } | null = null;
  const order: number[] = [];

  /** One scope for all steps that read no other steps and become ready at the same time. */
  function sharedScope(index: number, at: number): ExpressionScope {
    const own = graph.isAfterStart(index) ? input : base.input;
    if (shared?.now.getTime() !== at || shared.input !== own) {
      shared = { ...base, input: own, steps: NO_STEPS, now: new Date(at) };
    }
    return shared;
  }

  function view(index: number): VisibleStep | undefined {
    const known = views.get(index);
    const state = known === undefined && graph.isUnreachable(index) ? skippedState(null) : states[index];
    if (known !== undefined || state === undefined) return known;
    const created = toVisibleStep(state);
    views.set(index, created);
    return created;
  }

  /** @param own The previous iteration of a step with a loop. */
  function stepsFor(
    index: number,
    key: string,
    reads: readonly number[],
    own: StepState | undefined,
  ): ExpressionScope["steps"] {
    const found: Record<string, VisibleStep> = Object.create(null);
    for (const other of reads) {
      const one = other === index ? undefined : view(other);
      const otherKey = steps[other]?.step.key;
      if (one !== undefined && otherKey !== undefined) found[otherKey] = one;
    }
    if (own !== undefined) found[key] = toVisibleStep(own);
    return found;
  }

  /** @param ended The iteration that has just ended, for the loop's condition. */
  function scopeAt(index: number, at: number, ended?: StepState): ExpressionScope {
    const compiled = steps[index];
    const scope = sharedScope(index, at);
    if (compiled === undefined) return scope;
    const { key, loop } = compiled.step;
    const reads = compiled.reads(graph);
    if (loop === undefined) {
      return reads.length === 0 ? scope : { ...scope, steps: stepsFor(index, key, reads, undefined) };
    }
    const loopState = loops.get(index);
    return {
      ...scope,
      steps: stepsFor(index, key, reads, ended ?? loopState?.state),
      iteration: (loopState?.iteration ?? 0) + 1,
      previous: loopState?.previous ?? null,
      output: ended?.output ?? null,
    };
  }

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
    if (!reached[index]) return settleStep(index, skippedState(null), NO_EDGE);
    const { conditional, executable, loop } = compiled;
    try {
      if (conditional !== undefined && !holds(conditional, scopeAt(index, at), "conditional")) {
        return settleStep(index, skippedState(at), edgesTaken(compiled, null));
      }
      if (executable.kind === "pure" && loop === undefined) {
        const output = executable.evaluate(scopeAt(index, at));
        return settleStep(index, succeededState(output, at), edgesTaken(compiled, output));
      }
      openStep(compiled, index, at, runningState(at));
      open++;
      return [];
    } catch (error) {
      return failStep(compiled, index, failedState(asRunError(asStepError(error)), at));
    }
  }

  /** Marks a step as waiting, or as one of those to execute next. */
  function openStep({ executable }: CompiledStep, index: number, at: number, state: StepState): void {
    readyAt.set(index, at);
    if (executable.kind === "wait") {
      if (executable.wakeUp !== undefined) wakeUps.set(index, executable.wakeUp(scopeAt(index, at)));
      waiting++;
      states[index] = { ...state, status: "waiting" };
    } else {
      next.push(index);
      states[index] = state;
    }
  }

  /** Settles a step and takes its edges. Returns the steps that become ready. */
  function settleStep(index: number, state: StepState, isTaken: (edge: Edge) => boolean): number[] {
    states[index] = state;
    order.push(index);
    if (index === graph.start && isRecord(state.output)) input = state.output;
    const ready: number[] = [];
    for (const edge of graph.outgoing[index] ?? []) {
      const { to } = edge;
      const remaining = (pendingEdges[to] ?? 0) - 1;
      pendingEdges[to] = remaining;
      if (isTaken(edge) && !graph.isUnreachable(to)) reached[to] = true;
      if (remaining === 0) ready.push(to);
    }
    return ready;
  }

  function failStep(compiled: CompiledStep, index: number, state: StepState): number[] {
    const { key, throw_on_error } = compiled.step;
    if (throw_on_error === false) return settleStep(index, state, edgesTaken(compiled, null));
    failure ??= { ...(state.error ?? { code: "step_failed", message: "The step failed." }), step: key };
    states[index] = state;
    order.push(index);
    return [];
  }

  /** Continues after an iteration: with the next one, or with the end of the step. */
  function afterIteration(
    compiled: CompiledStep,
    index: number,
    state: StepState,
    isWhole: boolean,
  ): number[] | "again" {
    const { loop } = compiled;
    if (state.status === "failed") return failStep(compiled, index, state);
    if (loop === undefined || isWhole) return settleStep(index, state, edgesTaken(compiled, state.output));
    const at = state.finished_at ?? 0;
    const restarted = { ...state, status: "running", output: null, finished_at: null } as const;
    if (failure !== null) {
      states[index] = restarted;
      return [];
    }
    try {
      const scope = scopeAt(index, at, state);
      const { iteration } = scope;
      const spent = loops.get(index)?.spent ?? { operations: 0 };
      if (holds((all) => loop(all, spent), scope, "loop"))
        return settleStep(index, state, edgesTaken(compiled, state.output));
      if (iteration === undefined || iteration >= MAX_ITERATIONS) {
        throw new StepError("loop_limit", `The loop did not end within ${MAX_ITERATIONS} iterations.`);
      }
      loops.set(index, { iteration, previous: state.output, state, spent });
      openStep(compiled, index, at, restarted);
      return "again";
    } catch (error) {
      const loopError = asRunError(asStepError(error));
      return failStep(compiled, index, { ...state, status: "failed", output: null, error: loopError });
    }
  }

  return {
    state: (index) => states[index],
    scope: (index) => scopeAt(index, readyAt.get(index) ?? 0),
    iteration: (index) => (loops.get(index)?.iteration ?? 0) + 1,

    start(at) {
      next = [];
      const roots = [...steps.keys()].filter((index) => pendingEdges[index] === 0);
      for (const index of roots) reached[index] = !graph.isUnreachable(index);
      if (graph.start !== undefined) reached[graph.start] = true;
      advance(roots, at);
      return next;
    },

    settle(index, outcome) {
      const compiled = steps[index];
      if (compiled === undefined) return [];
      next = [];
      const state = settledState(outcome, states[index], loops.get(index)?.state);
      if (states[index]?.status === "waiting") waiting--;
      wakeUps.delete(index);
      const ready = afterIteration(compiled, index, state, outcome.whole === true);
      if (ready === "again") return next;
      open--;
      advance(ready, outcome.finished_at);
      return next;
    },

    isPaused: () => backlog !== null || pace.isDue(),

    resume() {
      next = [];
      const left = backlog;
      backlog = null;
      if (left !== null) advance(left.ready, left.at);
      return next;
    },

    // Methods, because an object literal with getters would give each run a separate hidden class. V8 keeps those
    // alive.
    open: () => open,
    waiting: () => waiting,
    failure: () => failure,
    wakeUps,
    order,
  };
}

const NO_STEPS: ExpressionScope["steps"] = Object.freeze(Object.create(null));
function holds(evaluate: Evaluate, scope: ExpressionScope, field: string): boolean {
  const value = evaluate(scope);
  if (typeof value === "boolean") return value;
  const message = `The ${field} expression must return true or false, not ${JSON.stringify(value)?.slice(0, 100)}.`;
  throw new StepError("expression_failed", message);
}
