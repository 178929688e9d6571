/** Compiles a version's graphs, expressions and templates once, and reports all problems together. */
import { urlComponent } from "../../encoding/url-component.ts";
import { type FieldError, MAX_ERRORS } from "../../errors.ts";
import { omitUndefined, pointer } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import { inNextTurn } from "../../time/system-clock.ts";
import { inputSteps } from "../../workflows/graph.ts";
import type { Step } from "../../workflows/step.ts";
import type { Definition } from "../../workflows/version.ts";
import type { Executable } from "../execution/step-context.ts";
import type { Cel } from "../expressions/cel.ts";
import { UNLIMITED } from "../expressions/event-loop-pace.ts";
import { createAutoFields } from "../model/auto-fields.ts";
import { STEP_IMPLEMENTATIONS } from "../steps/index.ts";
import { compilePolicies, withPolicies } from "./compile-policies.ts";
import { type CompiledLimits, compileLimits } from "./compile-run-limits.ts";
import { compileEventStarts, type StartsOn } from "./event-starts.ts";
import { checkLiteralConditions } from "./literal-conditions.ts";
import { createFieldProblem, createInputProblem } from "./output-shapes.ts";
import { pinProblems, withPinnedOutput } from "./pinned-steps.ts";
import type { CompiledStep, Plan } from "./plan.ts";
import { createReads } from "./reads.ts";
import { withLoopBudget, withSharedBudget } from "./shared-budget.ts";
import { type CompileContext, createStepCompiler, type DeployCheck } from "./step-compiler.ts";
import type { StepCompiler, StepImplementation, StepPosition } from "./step-implementation.ts";
import { createVisibleSteps, type RunGraph } from "./visible-steps.ts";

export interface Compiled {
  readonly problems: readonly FieldError[];
  /** Slower checks that only a deployment runs. */
  readonly deployChecks: readonly DeployCheck[];
  /** Checks of a validation. What they find prevents no deployment. */
  readonly warningChecks: readonly DeployCheck[];
  /** What decides when a run begins, or null if it begins at once. */
  readonly limits: CompiledLimits | null;
  readonly startsOn: StartsOn;
  /** @param start Index of the input step. Returns the same plan for the same start. */
  plan(start: number | undefined): Plan;
}

/** Loads CEL. Called only for versions that contain expressions. */
export type LoadCel = () => Promise<Cel>;

/** The parts of a definition that are compiled. */
export type Source = Pick<Definition, "input" | "steps" | "settings" | "pinned">;

export interface CompileOptions extends CompileContext {
  readonly loadCel: LoadCel;
  readonly clock: Clock;
}

/** Steps that are compiled in one turn of the event loop. */
const STEPS_PER_TURN = 100;

export async function compile(source: Source, against: CompileOptions): Promise<Compiled> {
  const compiled = await compileWith(source, null, against);
  if (compiled !== null) return compiled;
  const cel = await against.loadCel();
  await cel.prepare(JSON.stringify([source.steps, source.settings]));
  const withExpressions = await compileWith(source, cel, against);
  if (withExpressions === null) throw new Error("CEL was not used although it is loaded.");
  return withExpressions;
}

/** @param cel Null to find out whether there are expressions at all. Returns null then if there are. */
async function compileWith(
  { input, steps, settings, pinned }: Source,
  cel: Cel | null,
  against: CompileOptions,
): Promise<Compiled | null> {
  let hasExpressions = false;
  const problems: FieldError[] = [];
  const deployChecks: DeployCheck[] = [];
  const warningChecks: DeployCheck[] = [];
  const onProblem = (problem: FieldError) => {
    if (problems.length <= MAX_ERRORS) problems.push(problem);
  };
  const onDeployCheck = (check: DeployCheck) => void deployChecks.push(check);
  const onWarningCheck = (check: DeployCheck) => void warningChecks.push(check);
  const onExpression = () => {
    hasExpressions = true;
  };
  const visible = createVisibleSteps(steps);
  const fieldProblem = createFieldProblem({ steps, input, ...omitUndefined({ pinned }) }, against.services);
  const inputProblem = createInputProblem({ steps, input });
  const plans = new Map<number | undefined, Plan>();

  function compileStep(step: Step, index: number, isStart: boolean): CompiledStep {
    const auto = createAutoFields(step, () => compiler);
    const reads = createReads(({ start }) => visible.list(start, index));
    const own = { step, index, auto, reads, fieldProblem, inputProblem };
    const found = { onProblem, onDeployCheck, onWarningCheck, onExpression };
    const compiler = createStepCompiler({ ...against, ...own, ...found, cel, visible });
    const { conditional, loop } = step;
    checkLiteralConditions(step, compiler);
    const executable = auto.fill(compileExecutable(step, compiler, { isStart, versionInput: input }));
    return {
      step,
      headerKey: urlComponent(step.key),
      policies: compilePolicies(step, compiler, cel),
      conditional:
        conditional === undefined
          ? undefined
          : compiler.expression(conditional, ["conditional"], loop === undefined ? "anywhere" : "loop"),
      loop: loop === undefined ? undefined : withLoopBudget(compiler.expression(loop, ["loop"]), cel),
      executable: withSharedBudget(withPolicies(executable, step, compiler), cel),
      reads: reads.of,
    };
  }

  /** Compiled steps that all plans share. Plans differ only in the step that the run starts at. */
  const compiled: (CompiledStep | undefined)[] = [];

  /** The same, compiled as the step that a run starts at. */
  const starts: (CompiledStep | undefined)[] = [];

  function stepOf(step: Step, index: number, start: number | undefined): CompiledStep {
    const isStart = index === start;
    const known = isStart ? starts : compiled;
    const before = known[index];
    if (before !== undefined) return before;
    const one = compileStep(step, index, isStart);
    const created = isStart ? one : withPinnedOutput(one, pinned);
    known[index] = created;
    return created;
  }

  function plan(start: number | undefined): Plan {
    const known = plans.get(start);
    if (known !== undefined) return known;
    const graph = visible.graphFrom(start);
    const created: Plan = {
      graph,
      steps: steps.map((step, index) => stepOf(step, index, start)),
      ...leavesOf(graph),
      pace: cel?.pace ?? UNLIMITED,
    };
    plans.set(start, created);
    return created;
  }

  for (const problem of pinProblems(pinned ?? {}, steps)) onProblem(problem);
  const first = inputSteps(steps)[0];
  for (const [index, step] of steps.entries()) {
    if (index % STEPS_PER_TURN === STEPS_PER_TURN - 1) await new Promise<void>((go) => inNextTurn(against.clock, go));
    stepOf(step, index, first);
    if (cel === null && hasExpressions) return null;
  }
  const { graph } = plan(first);
  if (first !== undefined && graph.incoming[first]?.length !== 0) {
    onWarningCheck(async () => [{ pointer: pointer(["steps", first]), message: NOBODY_IS_ASKED }]);
  }
  const report = { onProblem, onExpression, onDeployCheck, onWarningCheck };
  const limits = compileLimits(settings, cel, inputProblem, report);
  const startsOn = compileEventStarts(settings, cel, report);
  // Only the problems of the first plan: other plans would report the same ones again.
  if (cel === null && hasExpressions) return null;
  const checks = { deployChecks: [...deployChecks], warningChecks: [...warningChecks] };
  return { problems: [...problems], ...checks, limits, startsOn, plan };
}

const NOBODY_IS_ASKED =
  "Nobody is asked here, although other steps lead here: a run starts at the first input step, and the run's input is the answer. To ask in the middle of a run, add another input step in front, where the run starts.";

/** `STEP_IMPLEMENTATIONS` maps each type to the implementation of that type. TypeScript cannot express this for a union. */
function compileExecutable(step: Step, compiler: StepCompiler, position: StepPosition): Executable {
  const implementation = STEP_IMPLEMENTATIONS[step.type] as StepImplementation<Step["type"]>;
  return implementation.compile(step, compiler, position);
}

/**
 * Notes produce no output, so a step that only leads to notes is a leaf. Neither do input steps without incoming edges that
 * this run doesn't start at.
 */
function leavesOf(graph: RunGraph): Pick<Plan, "leaves" | "caughtLeaves"> {
  const { steps, outgoing, incoming, start } = graph;
  const known = new Map<number, boolean>();
  const leadsToNotesOnly = (index: number): boolean =>
    outgoing[index]?.every(({ route, to }) => route !== undefined || isNoteOnly(to)) === true;
  function isNoteOnly(index: number): boolean {
    const found = known.get(index) ?? (steps[index]?.type === "note" && leadsToNotesOnly(index));
    known.set(index, found);
    return found;
  }
  const all = steps.flatMap(({ type }, index) => {
    const isIdle = type === "note" || (type === "input" && index !== start && incoming[index]?.length === 0);
    return !isIdle && leadsToNotesOnly(index) ? [index] : [];
  });
  const isOrdinary = reachableWithoutErrors(graph);
  return { leaves: all.filter(isOrdinary), caughtLeaves: all.filter((index) => !isOrdinary(index)) };
}

/** Returns whether a run can reach a step without taking a catch route. */
function reachableWithoutErrors({ steps, outgoing, incoming }: RunGraph): (index: number) => boolean {
  if (!steps.some((step) => "on_error" in step)) return () => true;
  const open = [...steps.keys()].filter((index) => incoming[index]?.length === 0);
  const found = new Set(open);
  for (const index of open) {
    for (const { to, route } of outgoing[index] ?? []) {
      if (route !== undefined || found.has(to)) continue;
      found.add(to);
      open.push(to);
    }
  }
  return (index) => found.has(index);
}
