/** Makes a version ready to run: its graphs, expressions and templates, once. Tells every problem at once. */
import type { FieldError } from "../errors.ts";
import { isRecord, type JsonValue, pointer } from "../json.ts";
import type { Services } from "../services/registry.ts";
import { type Graph, graphOf, inputSteps, upstream } from "../workflows/graph.ts";
import type { Step } from "../workflows/step.ts";
import type { Definition } from "../workflows/version.ts";
import type { Cel, Evaluate, Expression } from "./cel/cel.ts";
import { type AutoFields, createAutoFields } from "./model/auto.ts";
import type { Pages } from "./pages.ts";
import type { Scope } from "./scope.ts";
import type { CodeRunner, Compiler, Executable, ModelRunner, Place, Problem, StepKind } from "./step-kind.ts";
import { STEP_KINDS } from "./steps/index.ts";
import { hasTemplate, parseTemplate, TemplateProblem } from "./template.ts";

export interface CompiledStep {
  readonly step: Step;
  /** Its key as it can stand in a header. */
  readonly headerKey: string;
  readonly executable: Executable;
  /** Whether the step is on. */
  readonly conditional: Evaluate | undefined;
  /** Whether it has repeated often enough. */
  readonly loop: Evaluate | undefined;
}

/** A version as a run that starts at a certain input step sees it. */
export interface Plan {
  readonly graph: Graph;
  readonly steps: readonly CompiledStep[];
  /** Steps that lead nowhere and give something: what a run's output is made of. */
  readonly leaves: readonly number[];
}

export interface Compiled {
  readonly problems: readonly FieldError[];
  /** What a deployment has to ask beside, for more problems. */
  readonly deployChecks: readonly DeployCheck[];
  /** @param start The place of the input step; the same plan every time. */
  plan(start: number | undefined): Plan;
}

export type DeployCheck = () => Promise<readonly FieldError[]>;

/** The language of expressions is only loaded for versions that have some. */
export type LoadCel = () => Promise<Cel>;

/** What is compiled of a definition. */
export type Source = Pick<Definition, "input" | "steps">;

/** What steps are compiled against. */
export interface CompileWith {
  readonly loadCel: LoadCel;
  readonly services: Services;
  readonly code: CodeRunner;
  readonly models: ModelRunner;
  readonly pages: Pages;
}

export async function compile(source: Source, against: CompileWith): Promise<Compiled> {
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

function compileWith({ input, steps }: Source, cel: Cel | null, against: CompileWith): Compiled {
  const problems: FieldError[] = [];
  const deployChecks: DeployCheck[] = [];
  const before = upstreamOf(steps);
  const plans = new Map<number | undefined, Plan>();

  function compileStep(step: Step, index: number, place: Place): CompiledStep {
    const found = { problems, deployChecks };
    const auto = createAutoFields(step, () => compiler);
    const compiler = createCompiler({ ...against, cel, step, index, upstream: () => before(index), auto, ...found });
    const { conditional, loop } = step;
    return {
      step,
      headerKey: encodeURIComponent(step.key.replace(/\p{Surrogate}/gu, "\uFFFD")),
      conditional: conditional === undefined ? undefined : compiler.expression(conditional, ["conditional"]),
      loop: loop === undefined ? undefined : compiler.expression(loop, ["loop"]),
      executable: auto.fill(compileKind(step, compiler, place)),
    };
  }

  function plan(start: number | undefined): Plan {
    const known = plans.get(start);
    if (known !== undefined) return known;
    const graph = graphOf(steps, start);
    const made: Plan = {
      graph,
      steps: steps.map((step, index) => compileStep(step, index, { isStart: index === start, asked: input })),
      leaves: leavesOf(graph),
    };
    plans.set(start, made);
    return made;
  }

  plan(inputSteps(steps)[0]);
  // Those of the first plan: the others would only tell the same again.
  return { problems: [...problems], deployChecks: [...deployChecks], plan };
}

/** The table gives for each type what compiles steps of just this type, which the types cannot say of a union. */
function compileKind(step: Step, compiler: Compiler, place: Place): Executable {
  const kind = STEP_KINDS[step.type] as StepKind<Step["type"]>;
  return kind.compile(step, compiler, place);
}

/** Notes, and input steps that this run does not start at and nothing leads to, give nothing. */
function leavesOf({ steps, outgoing, incoming, start }: Graph): number[] {
  return steps.flatMap(({ type }, index) => {
    const isIdle = type === "note" || (type === "input" && index !== start && incoming[index]?.length === 0);
    return outgoing[index]?.length === 0 && !isIdle ? [index] : [];
  });
}

/** Keys of the steps that come before one, whichever input step a run starts at. */
function upstreamOf(steps: readonly Step[]): (index: number) => ReadonlySet<string> {
  const starts = steps.some((step) => step.input_connected === true) ? inputSteps(steps) : [];
  const graphs = (starts.length === 0 ? [undefined] : starts).map((start) => graphOf(steps, start));
  return (index) =>
    new Set(graphs.flatMap((graph) => [...upstream(graph, index)].map((from) => steps[from]?.key ?? "")));
}

interface CompilerParts extends Omit<CompileWith, "loadCel"> {
  readonly cel: Cel | null;
  readonly step: Step;
  readonly index: number;
  readonly upstream: () => ReadonlySet<string>;
  readonly auto: AutoFields;
  readonly problems: FieldError[];
  readonly deployChecks: DeployCheck[];
}

function createCompiler({
  cel,
  services,
  code,
  models,
  pages,
  step,
  index,
  upstream,
  auto,
  ...found
}: CompilerParts): Compiler {
  const located = ({ path, message }: Problem) => ({ pointer: pointer(["steps", index, ...path]), message });
  const problem: Compiler["problem"] = (path, message) => void found.problems.push(located({ path, message }));

  /** Keys are looked up only once something names a step. */
  let before: ReadonlySet<string> | undefined;

  function checkNames({ steps }: Expression, path: readonly (string | number)[]): void {
    for (const key of steps) {
      before ??= upstream();
      const isOwn = key === step.key && step.loop !== undefined;
      if (!before.has(key) && !isOwn) {
        problem(path, `The step ${JSON.stringify(key)} does not come before this one.`);
      }
    }
  }

  function expression(text: string, path: readonly (string | number)[]): Evaluate {
    try {
      if (cel === null) throw new Error("expressions without their language");
      const compiled = cel.compile(text, step.loop !== undefined);
      checkNames(compiled, path);
      return compiled.evaluate;
    } catch (error) {
      problem(path, error instanceof Error ? error.message : String(error));
      return () => null;
    }
  }

  function textTemplate(text: string, path: readonly (string | number)[]): Evaluate {
    if (!hasTemplate(text)) return () => text;
    try {
      const parts = parseTemplate(text).map((part) =>
        typeof part === "string" ? part : (auto.compile(part.expression, path) ?? expression(part.expression, path)),
      );
      const [only] = parts;
      if (parts.length === 1 && typeof only === "function") return only;
      return (scope) => parts.map((part) => (typeof part === "string" ? part : shown(part(scope)))).join("");
    } catch (error) {
      if (!(error instanceof TemplateProblem)) throw error;
      problem(path, error.message);
      return () => null;
    }
  }

  function template(value: JsonValue, path: readonly (string | number)[]): Evaluate {
    if (typeof value === "string") return textTemplate(value, path);
    if (Array.isArray(value)) {
      const items = value.map((item, at) => template(item, [...path, at]));
      return (scope) => items.map((item) => item(scope));
    }
    if (isRecord(value)) {
      const entries = Object.entries(value).map(([key, item]) => [key, template(item, [...path, key])] as const);
      return (scope) => Object.fromEntries(entries.map(([key, item]) => [key, item(scope)]));
    }
    return () => value;
  }

  return {
    expression,
    template,
    problem,
    action: services.find,
    code,
    models,
    pages,
    whenDeployed: (check) => void found.deployChecks.push(async () => (await check()).map(located)),
    text(value, path) {
      const evaluate = textTemplate(value, path);
      return (scope: Scope) => shown(evaluate(scope));
    },
  };
}

/** Inside a text: texts as they are, everything else as JSON. */
function shown(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
