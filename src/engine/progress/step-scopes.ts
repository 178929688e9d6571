/** Builds the variables that steps see in expressions and code, from the states of the steps that they read. */
import type { JsonObject } from "../../json.ts";
import type { Plan } from "../compile/plan.ts";
import type { BaseScope, ExpressionScope, VisibleStep } from "../expressions/expression-scope.ts";
import type { ForEachState } from "./for-each.ts";
import type { LoopState } from "./loop-state.ts";
import { type StepState, skippedState, toVisibleStep } from "./step-state.ts";

export class StepScopes {
  private readonly plan: Plan;
  private readonly base: BaseScope;
  private readonly states: readonly (StepState | undefined)[];
  /** Settled steps as other steps see them, created on demand. */
  private views: Map<number, VisibleStep> | undefined;
  /** What the items of a step share. */
  private ofItems: WeakMap<ForEachState, ExpressionScope> | undefined;
  private input: JsonObject;
  private shared: ExpressionScope | undefined;

  constructor(plan: Plan, base: BaseScope, states: readonly (StepState | undefined)[]) {
    this.plan = plan;
    this.base = base;
    this.states = states;
    this.input = base.input;
  }

  /** Sets the output of the start step, which may include file contents. Only steps after it see this. */
  setInput(input: JsonObject): void {
    this.input = input;
  }

  /**
   * @param at When the step became ready, in milliseconds since 1970.
   * @param loop The iterations of a step with a loop so far.
   * @param ended The iteration that has just ended, for the loop's condition.
   */
  scopeAt(index: number, at: number, loop?: LoopState, ended?: StepState): ExpressionScope {
    const scope = this.sharedScope(index, at);
    const compiled = this.plan.steps[index];
    if (compiled === undefined) return scope;
    if (compiled.loop === undefined) {
      const readsNone = compiled.reads(this.plan.graph).length === 0;
      return readsNone ? scope : { ...scope, steps: this.stepsFor(index, undefined) };
    }
    return {
      ...scope,
      steps: this.stepsFor(index, ended ?? loop?.state),
      iteration: (loop?.iteration ?? 0) + 1,
      previous: loop?.previous ?? null,
      output: ended?.output ?? null,
    };
  }

  /**
   * The scope of an item. All items of a step share `input` and `steps`, the same objects, so that sandboxes can recognize
   * them.
   */
  itemScopeAt(index: number, at: number, each: ForEachState, item: number): ExpressionScope {
    this.ofItems ??= new WeakMap();
    const shared = this.ofItems.get(each) ?? this.scopeAt(index, at);
    this.ofItems.set(each, shared);
    return { ...shared, item: each.items[item] ?? null, index: item };
  }

  /** One scope for all steps that read no other steps and become ready at the same time. */
  private sharedScope(index: number, at: number): ExpressionScope {
    const own = this.plan.graph.isAfterStart(index) ? this.input : this.base.input;
    if (this.shared?.now.getTime() !== at || this.shared.input !== own) {
      this.shared = { steps: NO_STEPS, now: new Date(at), ...this.base, input: own };
    }
    return this.shared;
  }

  private view(index: number): VisibleStep | undefined {
    const known = this.views?.get(index);
    if (known !== undefined) return known;
    const { graph, steps } = this.plan;
    const state = graph.isUnreachable(index) ? skippedState(null) : this.states[index];
    if (state === undefined) return undefined;
    const visible = toVisibleStep(state);
    const hasItems = steps[index]?.policies.forEach !== undefined;
    const created = hasItems ? { ...visible, errors: state.errors ?? [] } : visible;
    this.views ??= new Map();
    this.views.set(index, created);
    return created;
  }

  /** @param own The previous iteration of a step with a loop. */
  private stepsFor(index: number, own: StepState | undefined): ExpressionScope["steps"] {
    const { graph, steps } = this.plan;
    const found: Record<string, VisibleStep> = Object.create(null);
    for (const other of steps[index]?.reads(graph) ?? []) {
      const one = other === index ? undefined : this.view(other);
      const otherKey = steps[other]?.step.key;
      if (one !== undefined && otherKey !== undefined) found[otherKey] = one;
    }
    const key = steps[index]?.step.key;
    if (own !== undefined && key !== undefined) found[key] = toVisibleStep(own);
    return found;
  }
}

const NO_STEPS: ExpressionScope["steps"] = Object.freeze(Object.create(null));
