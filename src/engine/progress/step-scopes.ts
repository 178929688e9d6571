/** Builds the variables that steps see in expressions and code, from the states of the steps that they read. */
import type { JsonObject } from "../../json.ts";
import type { Plan } from "../compile/plan.ts";
import type { BaseScope, ExpressionScope, VisibleStep } from "../expressions/expression-scope.ts";
import type { ForEachState } from "./for-each.ts";
import type { LoopState } from "./loop-state.ts";
import { type StepState, skippedState, toVisibleStep } from "./step-state.ts";

export interface StepScopes {
  /** Sets the output of the start step, which may include file contents. Only steps after it see this. */
  setInput(input: JsonObject): void;
  /**
   * @param at When the step became ready, in milliseconds since 1970.
   * @param loop The iterations of a step with a loop so far.
   * @param ended The iteration that has just ended, for the loop's condition.
   */
  scopeAt(index: number, at: number, loop?: LoopState, ended?: StepState): ExpressionScope;
  /**
   * The scope of an item. All items of a step share `input` and `steps`, the same objects, so that sandboxes can recognize
   * them.
   */
  itemScopeAt(index: number, at: number, each: ForEachState, item: number): ExpressionScope;
}

export function createStepScopes(
  { graph, steps }: Plan,
  base: BaseScope,
  states: readonly (StepState | undefined)[],
): StepScopes {
  /** Settled steps as other steps see them, created on demand. */
  const views = new Map<number, VisibleStep>();
  /** What the items of a step share. */
  const ofItems = new WeakMap<ForEachState, ExpressionScope>();
  let { input } = base;
  let shared: ExpressionScope | undefined;

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
    const errors = steps[index]?.policies.forEach === undefined ? {} : { errors: state.errors ?? [] };
    const created = { ...toVisibleStep(state), ...errors };
    views.set(index, created);
    return created;
  }

  /** @param own The previous iteration of a step with a loop. */
  function stepsFor(index: number, own: StepState | undefined): ExpressionScope["steps"] {
    const found: Record<string, VisibleStep> = Object.create(null);
    for (const other of steps[index]?.reads(graph) ?? []) {
      const one = other === index ? undefined : view(other);
      const otherKey = steps[other]?.step.key;
      if (one !== undefined && otherKey !== undefined) found[otherKey] = one;
    }
    const key = steps[index]?.step.key;
    if (own !== undefined && key !== undefined) found[key] = toVisibleStep(own);
    return found;
  }

  function scopeAt(index: number, at: number, loop?: LoopState, ended?: StepState): ExpressionScope {
    const scope = sharedScope(index, at);
    const compiled = steps[index];
    if (compiled === undefined) return scope;
    if (compiled.loop === undefined) {
      return compiled.reads(graph).length === 0 ? scope : { ...scope, steps: stepsFor(index, undefined) };
    }
    return {
      ...scope,
      steps: stepsFor(index, ended ?? loop?.state),
      iteration: (loop?.iteration ?? 0) + 1,
      previous: loop?.previous ?? null,
      output: ended?.output ?? null,
    };
  }

  return {
    setInput(given) {
      input = given;
    },

    scopeAt,

    itemScopeAt(index, at, each, item) {
      const shared = ofItems.get(each) ?? scopeAt(index, at);
      ofItems.set(each, shared);
      return { ...shared, item: each.items[item] ?? null, index: item };
    },
  };
}

const NO_STEPS: ExpressionScope["steps"] = Object.freeze(Object.create(null));
