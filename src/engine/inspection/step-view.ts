/** What one step of an inspected run saw: the variables of its expressions, computed again. Pure. */
import { isRecord } from "../../json.ts";
import { isForEach, type Step } from "../../workflows/step.ts";
import type { CompiledStep, Plan } from "../compile/plan.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { NUMBERS_PER_ITEM } from "../progress/step-history.ts";
import { StepScopes } from "../progress/step-scopes.ts";
import type { StepState } from "../progress/step-state.ts";
import { baseScope } from "../state/base-scope.ts";
import type { InspectedRun } from "./inspected-run.ts";

/** A step of a run whose version is known. */
export interface StepView {
  readonly run: InspectedRun;
  readonly plan: Plan;
  readonly index: number;
  readonly compiled: CompiledStep;
  readonly step: Step;
}

/** Why a scope cannot be computed again. */
export type MissingScope = "not_started" | "not_stored";

export function viewStep(run: InspectedRun, index: number): StepView | null {
  const { plan } = run;
  const compiled = plan?.steps[index];
  return plan === null || compiled === undefined ? null : { run, plan, index, compiled, step: compiled.step };
}

/** The steps that a step reads, itself, and the one that the run started at. */
export function stepsSeenBy(plan: Plan | null, index: number): number[] {
  const compiled = plan?.steps[index];
  if (plan === null || compiled === undefined) return [index];
  const { start } = plan.graph;
  return [index, ...compiled.reads(plan.graph), ...(start === undefined ? [] : [start])];
}

/**
 * Computes what the step saw when it became ready.
 * @param part Index of an item or a repetition.
 */
export function scopeOf(view: StepView, part: number | undefined): ExpressionScope | MissingScope {
  const { run, index, step, compiled } = view;
  if (run.state(index) === undefined) return "not_started";
  const scopes = scopesOf(view);
  const at = readyAt(view);
  if (isForEach(step) && compiled.policies.forEach !== undefined) {
    const whole = scopes.scopeAt(index, at);
    if (part === undefined) return whole;
    const items = compiled.policies.forEach.items(whole);
    return { ...whole, item: Array.isArray(items) ? (items[part] ?? null) : null, index: part };
  }
  if (compiled.loop === undefined) return scopes.scopeAt(index, at);
  return repetitionScope(view, part ?? lastRepetition(run, index));
}

/** The scope of a repetition. The outputs of earlier ones are known only while the run is open. */
function repetitionScope(view: StepView, repetition: number): ExpressionScope | MissingScope {
  const { run, index, compiled } = view;
  const scope = scopesOf(view).scopeAt(index, readyAt(view));
  const task = run.progress?.task(index, null);
  if (run.progress !== null && task !== undefined && run.progress.iteration(task) === repetition + 1) {
    return compiled.executable.kind === "wait" ? { ...scope, iteration: repetition + 1 } : run.progress.scope(task);
  }
  if (repetition === 0) return scope;
  if (seesRepetitions(view)) return "not_stored";
  const at = endOfRepetition(run, index, repetition - 1);
  const now = at === undefined ? scope.now : new Date(at + compiled.policies.loopDelayMs);
  return { ...scope, now, iteration: repetition + 1 };
}

/** Whether what a step gets may depend on its repetition before. */
function seesRepetitions({ step }: StepView): boolean {
  const { key, destinations: _, ...fields } = step;
  const text = JSON.stringify(fields).replace(/\s/g, "");
  return step.type === "code" || /\bprevious\b|\bsteps(?!\.)/.test(text) || text.includes(`steps.${key}`);
}

function endOfRepetition(run: InspectedRun, index: number, repetition: number): number | undefined {
  const { since, ended = [] } = run.history(index) ?? {};
  for (let from = 0; since !== undefined && from < ended.length; from += NUMBERS_PER_ITEM) {
    const [one, offset = 0, duration = 0] = ended.slice(from, from + NUMBERS_PER_ITEM);
    if (one === repetition) return since + offset + duration;
  }
  return undefined;
}

/** Index of the repetition that is running, or that was the last. */
export function lastRepetition(run: InspectedRun, index: number): number {
  const task = run.progress?.task(index, null);
  if (run.progress !== null && task !== undefined) return run.progress.iteration(task) - 1;
  const { ended = [] } = run.history(index) ?? {};
  return ended[ended.length - NUMBERS_PER_ITEM] ?? 0;
}

/** @param seen Indexes of the steps that the scopes contain. @default those that the step reads */
export function scopesOf({ run, plan, index }: StepView, seen: readonly number[] = stepsSeenBy(plan, index)) {
  const states = new Array<StepState | undefined>(plan.steps.length);
  for (const one of seen) states[one] = run.state(one);
  const scopes = new StepScopes(plan, baseScope(run.document), states);
  const started = plan.graph.start === undefined ? undefined : run.state(plan.graph.start)?.output;
  if (isRecord(started)) scopes.setInput(started as ExpressionScope["input"]); // an output is JSON
  return scopes;
}

/** When the step became ready: the last of the steps before it had settled then, or the run had begun. */
export function readyAt({ run, plan, index }: Pick<StepView, "run" | "plan" | "index">): number {
  const { begun_at, created_at } = run.document;
  let latest = Date.parse(begun_at ?? created_at);
  const open = [index];
  const seen = new Set(open);
  for (const one of open) {
    for (const { from } of plan.graph.incoming[one] ?? []) {
      if (seen.has(from)) continue;
      seen.add(from);
      const at = run.shown(from).finished_at;
      if (at === null)
        open.push(from); // a step that was never reached is skipped when those before it have settled
      else latest = Math.max(latest, Date.parse(at));
    }
  }
  return latest;
}
