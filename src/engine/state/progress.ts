/**
 * How far a run has come: which steps have settled, and which are to run next. Decides and does nothing; the same
 * outcomes in the same order always lead to the same state, so that a journal is enough to go on from.
 */
import { isRecord, type JsonValue } from "../../json.ts";
import type { RunError } from "../../runs/run.ts";
import type { Edge } from "../../workflows/graph.ts";
import type { CompiledStep, Plan } from "../compile/plan.ts";
import type { WakeUp } from "../execution/step-context.ts";
import type { Evaluate } from "../expressions/cel.ts";
import type { ExpressionScope, SeenStep } from "../expressions/expression-scope.ts";
import { asRunError, asStepError, StepError } from "../step-error.ts";
import { edgesTaken, NO_EDGE } from "./edges-taken.ts";
import {
  asSeenStep,
  failedState,
  type Outcome,
  runningState,
  type StepState,
  settledState,
  skippedState,
  succeededState,
} from "./step-state.ts";

export interface Progress {
  /** Undefined for what has not become ready. */
  state(index: number): StepState | undefined;
  /** What a step sees that is to run. */
  scope(index: number): ExpressionScope;
  /** Which repetition of a step is running or to run, from 1. */
  iteration(index: number): number;
  /**
   * Starts the run; gives the steps to run. These and those of {@link Progress.settle} are all of them only while
   * {@link Progress.isPaused} is false: else {@link Progress.proceed} gives the others, and goes before anything else.
   */
  start(at: number): readonly number[];
  /** Takes what became of a step; gives the steps to run next: the same one again where it repeats. */
  settle(index: number, outcome: Outcome): readonly number[];
  /** Whether it is to continue in another turn of the event loop: expressions have done enough in this one. */
  isPaused(): boolean;
  /** Continues with what was left. When that is makes no difference to what follows. */
  proceed(): readonly number[];
  /** Steps that were given to run, or wait, and have not settled. */
  open(): number;
  /** Steps of these that wait: for somebody, or for their moment. */
  waiting(): number;
  /** The wake-ups that steps wait for, by the indexes of the steps. */
  readonly wakeUps: ReadonlyMap<number, WakeUp>;
  /** Why the run has failed, as soon as it has. */
  failure(): RunError | null;
  /** The steps that have settled, in the order in which they did. */
  readonly order: readonly number[];
}

/** Repetitions of a loop at the most. */
const MAX_ITERATIONS = 1_000;

export function createProgress(plan: Plan, base: Omit<ExpressionScope, "steps" | "now">): Progress {
  const { graph, steps, pace } = plan;
  const states = new Array<StepState | undefined>(steps.length);
  /** Incoming edges that have not settled yet. */
  const pendingEdges = graph.incoming.map((edges) => edges.length);
  /** Whether any incoming edge was taken. */
  const reached = new Array<boolean>(steps.length).fill(false);
  const repetitions = new Map<number, { iteration: number; previous: JsonValue; state: StepState }>();
  const readyAt = new Map<number, number>();
  const wakeUps = new Map<number, WakeUp>();
  /** What others see of the steps that have settled, made when somebody looks. */
  const views = new Map<number, SeenStep>();
  /** What the input step gave that the run started at: it may have read files. Others than those behind it never see it. */
  let input = base.input;
  let shared: ExpressionScope | undefined;
  let open = 0;
  let waiting = 0;
  let failure: RunError | null = null;
  let next: number[] = [];
  /** Left for another turn of the event loop. */
  let backlog: { readonly ready: number[]; readonly at: number } | null = null;
  const order: number[] = [];

  /** For steps that read nothing of others, and become ready at the same moment. */
  function sharedScope(index: number, at: number): ExpressionScope {
    const own = graph.isBehindStart(index) ? input : base.input;
    if (shared?.now.getTime() !== at || shared.input !== own) {
      shared = { ...base, input: own, steps: NO_STEPS, now: new Date(at) };
    }
    return shared;
  }

  function view(index: number): SeenStep | undefined {
    const known = views.get(index);
    const state = known === undefined && graph.isUnreachable(index) ? skippedState(null) : states[index];
    if (known !== undefined || state === undefined) return known;
    const made = asSeenStep(state);
    views.set(index, made);
    return made;
  }

  /** @param own The repetition before, of a step that repeats. */
  function stepsFor(
    index: number,
    key: string,
    reads: readonly number[],
    own: StepState | undefined,
  ): ExpressionScope["steps"] {
    const found: Record<string, SeenStep> = Object.create(null);
    for (const other of reads) {
      const one = other === index ? undefined : view(other);
      const otherKey = steps[other]?.step.key;
      if (one !== undefined && otherKey !== undefined) found[otherKey] = one;
    }
    if (own !== undefined) found[key] = asSeenStep(own);
    return found;
  }

  /** @param ended The repetition that has just ended, for the loop to judge. */
  function scopeAt(index: number, at: number, ended?: StepState): ExpressionScope {
    const compiled = steps[index];
    const scope = sharedScope(index, at);
    if (compiled === undefined) return scope;
    const { key, loop } = compiled.step;
    const reads = compiled.reads(graph);
    if (loop === undefined) {
      return reads.length === 0 ? scope : { ...scope, steps: stepsFor(index, key, reads, undefined) };
    }
    const repetition = repetitions.get(index);
    return {
      ...scope,
      steps: stepsFor(index, key, reads, ended ?? repetition?.state),
      iteration: (repetition?.iteration ?? 0) + 1,
      previous: repetition?.previous ?? null,
      output: ended?.output ?? null,
    };
  }

  /** Settles whatever needs nobody, from these steps on, until the run has failed or has to pause. */
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

  /** Lets a step begin; gives those that became ready because it is done already. */
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
      handOver(compiled, index, at, runningState(at));
      open++;
      return [];
    } catch (error) {
      return failStep(compiled, index, failedState(asRunError(asStepError(error)), at));
    }
  }

  /** What somebody else does from here on, or time: the step waits, or is one of those to run next. */
  function handOver({ executable }: CompiledStep, index: number, at: number, state: StepState): void {
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

  /** Takes the edges of a step that has settled; gives the steps that became ready. */
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

  /** What follows a repetition: another one, or the end of the step. */
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
    const begun = { ...state, status: "running", output: null, finished_at: null } as const;
    if (failure !== null) {
      states[index] = begun;
      return [];
    }
    try {
      const scope = scopeAt(index, at, state);
      const { iteration } = scope;
      if (holds(loop, scope, "loop")) return settleStep(index, state, edgesTaken(compiled, state.output));
      if (iteration === undefined || iteration >= MAX_ITERATIONS) {
        throw new StepError("loop_limit", `The loop did not end within ${MAX_ITERATIONS} iterations.`);
      }
      repetitions.set(index, { iteration, previous: state.output, state });
      handOver(compiled, index, at, begun);
      return "again";
    } catch (error) {
      const wrong = asRunError(asStepError(error));
      return failStep(compiled, index, { ...state, status: "failed", output: null, error: wrong });
    }
  }

  return {
    state: (index) => states[index],
    scope: (index) => scopeAt(index, readyAt.get(index) ?? 0),
    iteration: (index) => (repetitions.get(index)?.iteration ?? 0) + 1,

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
      const state = settledState(outcome, states[index], repetitions.get(index)?.state);
      if (states[index]?.status === "waiting") waiting--;
      wakeUps.delete(index);
      const ready = afterIteration(compiled, index, state, outcome.whole === true);
      if (ready === "again") return next;
      open--;
      advance(ready, outcome.finished_at);
      return next;
    },

    isPaused: () => backlog !== null || pace.isDue(),

    proceed() {
      next = [];
      const left = backlog;
      backlog = null;
      if (left !== null) advance(left.ready, left.at);
      return next;
    },

    // Getters of a literal would give each run a hidden class of its own, and those keep what came after alive in V8.
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
