/** Why a run went the way it did: the conditions of a step, with what they read. */
import { isRecord, type JsonValue, omitUndefined } from "../../json.ts";
import type { StepCondition } from "../../runs/inspection/step-details.ts";
import { entriesInOrder } from "../../workflows/input/entries-in-order.ts";
import { isForEach } from "../../workflows/step.ts";
import type { Cel, Expression } from "../expressions/cel.ts";
import type { ExpressionScope, Place } from "../expressions/expression-scope.ts";
import { attemptsOf as attemptsOfState } from "../progress/step-state.ts";
import { StepError } from "../step-error.ts";
import { previewed } from "./json-preview.ts";
import { readyAt, type StepView, scopeOf, scopesOf } from "./step-view.ts";

/** Values that are shown of a condition, and the length of each as JSON, in characters. */
const MAX_VALUES = 20;
const MAX_VALUE_CHARS = 1_024;
const MAX_MESSAGE_CHARS = 500;

type Result = StepCondition["result"];
interface Evaluated {
  readonly result: Result;
  readonly error?: string;
}

export function conditionsOf(view: StepView, cel: Cel): readonly StepCondition[] {
  return cel.shareBudget(() => [
    ...conditionalOf(view, cel),
    ...branchesOf(view, cel),
    ...routesOf(view, cel),
    ...loopOf(view, cel),
  ]);
}

function conditionalOf(view: StepView, cel: Cel): StepCondition[] {
  const { step, index, run } = view;
  const { conditional } = step;
  if (conditional === undefined) return [];
  const scope = firstScope(view);
  const evaluated =
    scope === null ? NOT_EVALUATED : evaluate(conditional, step.loop === undefined ? "anywhere" : "loop", scope, cel);
  const taken = evaluated.result === "true" && run.shown(index).status !== "skipped";
  return [condition("conditional", conditional, view, { evaluated, taken, destinations: [] }, scope, cel)];
}

function branchesOf(view: StepView, cel: Cel): StepCondition[] {
  const { step, run, index } = view;
  if (step.type !== "branch") return [];
  const scope = knownScope(view, undefined);
  const place = placeOf(view);
  const state = run.shown(index);
  const taken = isRecord(state.output) ? state.output["taken"] : undefined;
  const hasDecided = state.status === "succeeded";
  let isOver = state.status === "skipped" || state.started_at === null;
  const found = entriesInOrder(step.conditions).map(([name, { condition: expression = null }]) => {
    const known = taken === name ? HOLDS : HOLDS_NOT;
    const evaluated = isOver ? NOT_EVALUATED : hasDecided ? known : evaluateKnown(expression, place, scope, cel);
    isOver ||= evaluated.result !== "false";
    const outcome = { evaluated, taken: taken === name, destinations: destinations(view, "via", name) };
    return { ...condition("branch", expression, view, outcome, scope, cel), name };
  });
  const otherwise = { evaluated: NOT_EVALUATED, taken: taken === null, destinations: destinations(view, "via", null) };
  return [...found, condition("else", null, view, otherwise, scope, cel)];
}

function routesOf(view: StepView, cel: Cel): StepCondition[] {
  const { step, run, index } = view;
  const routes = step.type === "note" ? [] : (step.on_error ?? []);
  const state = run.state(index);
  const hasFailed = state?.status === "failed" && state.error !== null;
  const own = hasFailed ? firstScope(view) : null;
  const scope =
    own === null || state?.error == null
      ? null
      : { ...own, error: { ...state.error, attempts: attemptsOfState(state) } };
  let isOver = scope === null;
  return routes.map(({ condition: expression = null }, route) => {
    const evaluated = isOver ? NOT_EVALUATED : evaluateKnown(expression, "on_error", scope, cel);
    isOver ||= evaluated.result === "true";
    const outcome = { evaluated, taken: state?.caughtBy === route, destinations: destinations(view, "route", route) };
    return condition("catch", expression, view, outcome, scope, cel);
  });
}

/** The decision after the last repetition that has ended. */
function loopOf(view: StepView, cel: Cel): StepCondition[] {
  const { step, run, index } = view;
  if (step.loop === undefined) return [];
  const { status, output } = run.shown(index);
  const state = run.state(index);
  const scope = status === "succeeded" && state !== undefined ? endScope(view, output) : null;
  const evaluated: Evaluated = status === "succeeded" ? HOLDS : NOT_EVALUATED;
  return [
    condition("loop", step.loop, view, { evaluated, taken: status === "succeeded", destinations: [] }, scope, cel),
  ];
}

function endScope(view: StepView, output: JsonValue): ExpressionScope {
  const { previous: _, ...scope } = scopesOf(view).scopeAt(
    view.index,
    readyAt(view),
    undefined,
    view.run.state(view.index),
  );
  return { ...scope, output };
}

const NOT_EVALUATED: Evaluated = { result: "not_evaluated" };
const HOLDS: Evaluated = { result: "true" };
const HOLDS_NOT: Evaluated = { result: "false" };

/** What the step saw when it became ready; null if it did not, or that is not known. */
const firstScope = (view: StepView) => knownScope(view, view.step.loop === undefined ? undefined : 0);

function knownScope(view: StepView, part: number | undefined): ExpressionScope | null {
  const scope = scopeOf(view, part);
  return typeof scope === "string" ? null : scope;
}

/** @param text Null for a condition that always holds. */
function evaluateKnown(text: string | null, place: Place, scope: ExpressionScope | null, cel: Cel): Evaluated {
  if (text === null) return HOLDS;
  return scope === null ? NOT_EVALUATED : evaluate(text, place, scope, cel);
}

const placeOf = ({ step }: StepView): Place =>
  step.loop !== undefined ? "loop" : isForEach(step) ? "for_each" : "anywhere";

function evaluate(text: string, place: Place, scope: ExpressionScope, cel: Cel): Evaluated {
  try {
    const value = cel.compile(text, place).evaluate(scope);
    if (typeof value === "boolean") return { result: value ? "true" : "false" };
    return { result: "error", error: "The expression must return true or false." };
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return { result: "error", error: error.message.slice(0, MAX_MESSAGE_CHARS) };
  }
}

/** @param scope Null if the condition was not evaluated. */
function condition(
  kind: StepCondition["kind"],
  expression: string | null,
  { step }: StepView,
  { evaluated, taken, destinations: keys }: { evaluated: Evaluated; taken: boolean; destinations: string[] },
  scope: ExpressionScope | null,
  cel: Cel,
): StepCondition {
  const isRead = expression !== null && scope !== null && evaluated.result !== "not_evaluated";
  const place = kind === "catch" ? "on_error" : kind === "loop" || step.loop !== undefined ? "loop" : "anywhere";
  return {
    kind,
    expression,
    destinations: keys,
    result: evaluated.result,
    ...omitUndefined({ error: evaluated.error }),
    values: isRead ? valuesRead(cel.compile(expression, place), scope) : [],
    taken,
  };
}

function destinations({ plan, index }: StepView, field: "via" | "route", value: string | number | null): string[] {
  const edges = plan.graph.outgoing[index] ?? [];
  return edges.flatMap((edge) => (edge[field] === value ? (plan.graph.steps[edge.to]?.key ?? []) : []));
}

function valuesRead(expression: Expression, scope: ExpressionScope): StepCondition["values"] {
  return expression
    .pathsRead()
    .slice(0, MAX_VALUES)
    .map((path) => {
      const value = valueAt(path, scope);
      const text = pathText(path);
      return value === undefined ? { path: text } : { path: text, ...previewed(value, MAX_VALUE_CHARS) };
    });
}

function valueAt([name = "", ...names]: readonly string[], scope: ExpressionScope): JsonValue | undefined {
  if (name === "now") return scope.now.toISOString();
  let value: unknown = Object.hasOwn(scope, name) ? Reflect.get(scope, name) : undefined;
  for (const next of names) value = isRecord(value) && Object.hasOwn(value, next) ? value[next] : undefined;
  return value as JsonValue | undefined; // variables consist of JSON, besides `now`
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;

function pathText([name = "", ...names]: readonly string[]): string {
  return names.reduce((text, next) => text + (IDENTIFIER.test(next) ? `.${next}` : `[${JSON.stringify(next)}]`), name);
}
