/** Makes a version ready to run: its graphs, expressions and templates, once. Tells every problem at once. */
import type { FieldError } from "../../errors.ts";
import { inputSteps } from "../../workflows/graph.ts";
import type { Step } from "../../workflows/step.ts";
import type { Definition } from "../../workflows/version.ts";
import type { Executable } from "../execution/step-context.ts";
import type { Cel } from "../expressions/cel.ts";
import { FREE } from "../expressions/event-loop-pace.ts";
import { hasTemplate } from "../expressions/template.ts";
import { createAutoFields } from "../model/auto-fields.ts";
import { STEP_KINDS } from "../steps/index.ts";
import type { CompiledStep, Plan } from "./plan.ts";
import { createReads } from "./reads.ts";
import { withSharedBudget } from "./shared-budget.ts";
import { type CompileContext, createStepCompiler, type DeployCheck } from "./step-compiler.ts";
import type { StepCompiler, StepKind, StepPosition } from "./step-kind.ts";
import { createVisibleSteps, type RunGraph } from "./visible-steps.ts";

export interface Compiled {
  readonly problems: readonly FieldError[];
  /** What a deployment has to ask beside, for more problems. */
  readonly deployChecks: readonly DeployCheck[];
  /** @param start The place of the input step; the same plan every time. */
  plan(start: number | undefined): Plan;
}

/** The language of expressions is only loaded for versions that have some. */
export type LoadCel = () => Promise<Cel>;

/** What is compiled of a definition. */
export type Source = Pick<Definition, "input" | "steps">;

export interface CompileOptions extends CompileContext {
  readonly loadCel: LoadCel;
}

export async function compile(source: Source, against: CompileOptions): Promise<Compiled> {
  if (!source.steps.some(hasExpressions)) return compileWith(source, null, against);
  const cel = await against.loadCel();
  await cel.prepare(JSON.stringify(source.steps));
  return compileWith(source, cel, against);
}

function hasExpressions(step: Step): boolean {
  if (step.conditional !== undefined || step.loop !== undefined) return true;
  if (step.type === "branch") return Object.values(step.conditions).some(({ condition }) => condition !== undefined);
  return step.type !== "code" && step.type !== "note" && hasTemplate(JSON.stringify(step));
}

function compileWith({ input, steps }: Source, cel: Cel | null, against: CompileOptions): Compiled {
  const problems: FieldError[] = [];
  const deployChecks: DeployCheck[] = [];
  const visible = createVisibleSteps(steps);
  const plans = new Map<number | undefined, Plan>();

  function compileStep(step: Step, index: number, isStart: boolean): CompiledStep {
    const found = { problems, deployChecks };
    const auto = createAutoFields(step, () => compiler);
    const reads = createReads(({ start }) => visible.list(start, index));
    const compiler = createStepCompiler({ ...against, cel, step, index, visible, auto, reads, ...found });
    const { conditional, loop } = step;
    return {
      step,
      headerKey: encodeURIComponent(step.key.replace(/\p{Surrogate}/gu, "\uFFFD")),
      conditional: conditional === undefined ? undefined : compiler.expression(conditional, ["conditional"]),
      loop: loop === undefined ? undefined : compiler.expression(loop, ["loop"]),
      executable: withSharedBudget(auto.fill(compileExecutable(step, compiler, { isStart, versionInput: input })), cel),
      reads: reads.of,
    };
  }

  /** Steps of all plans, but for those where one starts: only these differ by the start. */
  const compiled: (CompiledStep | undefined)[] = [];

  function stepOf(step: Step, index: number, start: number | undefined): CompiledStep {
    if (index === start) return compileStep(step, index, true);
    const one = compiled[index] ?? compileStep(step, index, false);
    compiled[index] = one;
    return one;
  }

  function plan(start: number | undefined): Plan {
    const known = plans.get(start);
    if (known !== undefined) return known;
    const graph = visible.graphFrom(start);
    const made: Plan = {
      graph,
      steps: steps.map((step, index) => stepOf(step, index, start)),
      leaves: leavesOf(graph),
      pace: cel?.pace ?? FREE,
    };
    plans.set(start, made);
    return made;
  }

  plan(inputSteps(steps)[0]);
  // Those of the first plan: the others would only tell the same again.
  return { problems: [...problems], deployChecks: [...deployChecks], plan };
}

/** The table gives for each type what compiles steps of just this type, which the types cannot say of a union. */
function compileExecutable(step: Step, compiler: StepCompiler, place: StepPosition): Executable {
  const kind = STEP_KINDS[step.type] as StepKind<Step["type"]>;
  return kind.compile(step, compiler, place);
}

/** Notes, and input steps that this run does not start at and nothing leads to, give nothing. */
function leavesOf({ steps, outgoing, incoming, start }: RunGraph): number[] {
  return steps.flatMap(({ type }, index) => {
    const isIdle = type === "note" || (type === "input" && index !== start && incoming[index]?.length === 0);
    return outgoing[index]?.length === 0 && !isIdle ? [index] : [];
  });
}
