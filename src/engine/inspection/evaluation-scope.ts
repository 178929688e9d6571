/** The variables of an expression that is evaluated on a run, as one of its steps would. */
import { isRecord, type JsonValue, omitUndefined } from "../../json.ts";
import { isForEach } from "../../workflows/step.ts";
import type { Plan } from "../compile/plan.ts";
import { type Cel, CelProblem } from "../expressions/cel.ts";
import type { ExpressionScope, Place } from "../expressions/expression-scope.ts";
import { TemplateProblem } from "../expressions/template.ts";
import { toVisibleStep } from "../progress/step-state.ts";
import { StepError } from "../step-error.ts";
import { valueOfText } from "./expression-value.ts";
import type { InspectedRun } from "./inspected-run.ts";
import { readyAt, scopesOf, scopeOf as stepScopeOf, viewStep } from "./step-view.ts";

export interface EvaluationScope {
  readonly variables: ExpressionScope;
  /** Why variables of the place have no value, by name. */
  readonly missing: ReadonlyMap<string, string>;
}

/** Indexes of the steps that the expression may read: those before a step, or all. */
export function stepsBefore(plan: Plan, index: number | undefined): number[] {
  if (index === undefined) return [...plan.steps.keys()];
  const found = new Set<number>([index]);
  for (const one of found) for (const { from } of plan.graph.incoming[one] ?? []) found.add(from);
  for (const one of plan.steps.keys()) if (plan.graph.isUnreachable(one)) found.add(one);
  return [...found];
}

/** The place of most fields of a step. */
export function placeOf(plan: Plan, index: number | undefined): Place {
  const step = index === undefined ? undefined : plan.steps[index]?.step;
  if (step === undefined) return "anywhere";
  return step.loop !== undefined ? "loop" : isForEach(step) ? "for_each" : "anywhere";
}

interface ScopeParts {
  readonly run: InspectedRun;
  readonly plan: Plan;
  /** Index of the step before which expressions are evaluated. */
  readonly index: number | undefined;
  /** Index of the item or the repetition. */
  readonly item: number;
  /** Expression or template of the list of items. @default that of the step */
  readonly items: string | undefined;
  /** Milliseconds since 1970, for a step that has not become ready. */
  readonly now: number;
  readonly cel: Cel;
}

/** Returns the scope at a place, which is computed once. */
export function createEvaluationScopes(parts: ScopeParts): (place: Place) => EvaluationScope {
  const { run, index } = parts;
  const base = baseAt(parts);
  const own = index === undefined ? undefined : run.state(index);
  const known = new Map<Place, EvaluationScope>();

  function create(place: Place): EvaluationScope {
    switch (place) {
      case "loop": {
        const { iteration = parts.item + 1, previous = null } = base;
        const isOver = own !== undefined && own.status !== "running" && own.status !== "waiting";
        const variables = {
          ...base,
          iteration,
          previous,
          ...omitUndefined({ output: isOver ? own.output : undefined }),
        };
        return { variables, missing: isOver ? NOTHING : new Map([["output", "The step has no output in this run."]]) };
      }
      case "for_each": {
        const variables = { ...base, index: parts.item };
        const found = itemAt(parts, base);
        if ("reason" in found) return { variables, missing: new Map([["item", found.reason]]) };
        return { variables: { ...variables, item: found.item }, missing: NOTHING };
      }
      case "on_error": {
        const error = own === undefined ? null : toVisibleStep(own).error;
        if (error !== null) return { variables: { ...base, error }, missing: NOTHING };
        return { variables: base, missing: new Map([["error", "The step has not failed in this run."]]) };
      }
      default:
        return { variables: base, missing: NOTHING };
    }
  }

  return (place) => {
    const created = known.get(place) ?? create(place);
    known.set(place, created);
    return created;
  };
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The variables of every place. */
function baseAt({ run, plan, index, item, now }: ScopeParts): ExpressionScope {
  const steps = visibleAt(run, plan, index);
  const view = index === undefined ? null : viewStep(run, index);
  if (view === null) {
    const first = plan.graph.start ?? 0;
    const any = viewStep(run, first);
    if (any === null) throw new RangeError("The run has no steps.");
    const own = run.state(first)?.output;
    const base = scopesOf(any, [first]).scopeAt(first, now);
    const input = isRecord(own) && plan.graph.start !== undefined ? (own as ExpressionScope["input"]) : base.input; // JSON
    return { ...base, input, steps, now: new Date(now) };
  }
  const hasBegun = run.state(view.index) !== undefined;
  const isRepeated = view.compiled.loop !== undefined;
  const seen = hasBegun && isRepeated ? stepScopeOf(view, item) : "not_started";
  const base = typeof seen === "string" ? scopesOf(view).scopeAt(view.index, hasBegun ? readyAt(view) : now) : seen;
  return { ...base, steps };
}

function visibleAt(run: InspectedRun, plan: Plan, index: number | undefined): ExpressionScope["steps"] {
  const steps: Record<string, ExpressionScope["steps"][string]> = Object.create(null);
  for (const one of stepsBefore(plan, index)) {
    const state = run.state(one);
    const key = plan.steps[one]?.step.key;
    if (one === index || key === undefined || state === undefined) continue;
    if (state.status === "running" || state.status === "waiting") continue;
    const hasItems = plan.steps[one]?.policies.forEach !== undefined;
    steps[key] = { ...toVisibleStep(state), ...omitUndefined({ errors: hasItems ? (state.errors ?? []) : undefined }) };
  }
  return steps;
}

type Found = { readonly item: JsonValue } | { readonly reason: string };

/** The item of the list that is given, or of the step's own. */
function itemAt({ plan, index, item, items, cel }: ScopeParts, scope: ExpressionScope): Found {
  const own = index === undefined ? undefined : plan.steps[index]?.policies.forEach?.items;
  if (items === undefined && own === undefined) return { reason: "The step goes over no list in this run." };
  try {
    const list = items === undefined ? own?.(scope) : cel.shareBudget(() => valueOfText(items, "anywhere", scope, cel));
    if (!Array.isArray(list)) return { reason: "What the step goes over is not a list in this run." };
    const found: JsonValue | undefined = list[item];
    return found === undefined
      ? { reason: `The list has no item with the index ${item} in this run.` }
      : { item: found };
  } catch (error) {
    if (!(error instanceof StepError) && !(error instanceof CelProblem) && !(error instanceof TemplateProblem))
      throw error;
    return { reason: `The list that the step goes over has no value: ${error.message}` };
  }
}
