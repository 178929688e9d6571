/** Makes a version ready to run: its graphs, expressions and templates, once. Tells every problem at once. */
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { type FieldError, MAX_ERRORS } from "../../errors.ts";
import { copyOf, isRecord, type JsonValue, leastLength, pointer } from "../../json.ts";
import type { Services } from "../../services/registry.ts";
import { inputSteps } from "../../workflows/graph.ts";
import type { Step } from "../../workflows/step.ts";
import type { Definition } from "../../workflows/version.ts";
import type { Cel, Evaluate, Expression } from "../expressions/cel.ts";
import { FREE, type Pace } from "../expressions/event-loop-pace.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { hasTemplate, parseTemplate, TemplateProblem } from "../expressions/template.ts";
import { type AutoFields, createAutoFields } from "../model/auto-fields.ts";
import { StepError } from "../step-error.ts";
import { STEP_KINDS } from "../steps/index.ts";
import type { WebPages } from "../steps/web-page.ts";
import { createReads, type Reads } from "./reads.ts";
import { withSharedBudget } from "./shared-budget.ts";
import type {
  CodeRunner,
  Executable,
  ModelRunner,
  Path,
  Problem,
  StepCompiler,
  StepKind,
  StepPosition,
} from "./step-kind.ts";
import { createVisibleSteps, type RunGraph, type VisibleSteps } from "./visible-steps.ts";

export interface CompiledStep {
  readonly step: Step;
  /** Its key as it can stand in a header. */
  readonly headerKey: string;
  readonly executable: Executable;
  /** Places of the other steps whose results it reads in runs from this start, in the order of the version. */
  reads(graph: RunGraph): readonly number[];
  /** Whether the step is on. */
  readonly conditional: Evaluate | undefined;
  /** Whether it has repeated often enough. */
  readonly loop: Evaluate | undefined;
}

/** A version as a run that starts at a certain input step sees it. */
export interface Plan {
  readonly graph: RunGraph;
  readonly steps: readonly CompiledStep[];
  /** Steps that lead nowhere and give something: what a run's output is made of. */
  readonly leaves: readonly number[];
  /** Of its expressions. */
  readonly pace: Pace;
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
export interface CompileContext {
  readonly loadCel: LoadCel;
  readonly services: Services;
  readonly code: CodeRunner;
  readonly models: ModelRunner;
  readonly pages: WebPages;
}

export async function compile(source: Source, against: CompileContext): Promise<Compiled> {
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

function compileWith({ input, steps }: Source, cel: Cel | null, against: CompileContext): Compiled {
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

interface StepCompilerParts extends Omit<CompileContext, "loadCel"> {
  readonly cel: Cel | null;
  readonly step: Step;
  readonly index: number;
  readonly visible: VisibleSteps;
  readonly auto: AutoFields;
  readonly reads: Reads;
  readonly problems: FieldError[];
  readonly deployChecks: DeployCheck[];
}

function createStepCompiler({
  cel,
  services,
  code,
  models,
  pages,
  step,
  index,
  visible,
  auto,
  reads,
  ...found
}: StepCompilerParts): StepCompiler {
  const located = ({ path, message }: Problem) => ({ pointer: pointer(["steps", index, ...path]), message });
  const problem: StepCompiler["problem"] = (path, message) => {
    if (found.problems.length <= MAX_ERRORS) found.problems.push(located({ path, message }));
  };

  function checkNames({ steps, isDynamic }: Expression, path: readonly (string | number)[]): void {
    reads.add(isDynamic ? "all" : steps);
    for (const key of steps) {
      const isOwn = key === step.key && step.loop !== undefined;
      const message = isOwn ? null : visible.problem(index, key);
      if (message !== null) problem(path, message);
    }
  }

  function expression(text: string, path: readonly (string | number)[]): Evaluate {
    try {
      if (cel === null) throw new Error("An expression was compiled before CEL was loaded.");
      const compiled = cel.compile(text, step.loop !== undefined);
      checkNames(compiled, path);
      return compiled.evaluate;
    } catch (error) {
      problem(path, error instanceof Error ? error.message : String(error));
      return () => null;
    }
  }

  function textTemplate(text: string, path: Path, inspect?: (piece: string) => void): Evaluate {
    if (!hasTemplate(text)) return () => text;
    try {
      const parts = parseTemplate(text).map((part) => {
        if (typeof part === "string") return part;
        const evaluate = auto.compile(part.expression, path) ?? expression(part.expression, path);
        return (scope: ExpressionScope) => {
          const value = evaluate(scope);
          inspect?.(asText(value));
          return value;
        };
      });
      const [only] = parts;
      if (parts.length === 1 && typeof only === "function") return only;
      return (scope) => joinText(parts, scope);
    } catch (error) {
      if (!(error instanceof TemplateProblem)) throw error;
      problem(path, error.message);
      return () => null;
    }
  }

  /** Null for what no expression is in: it is copied as it is. */
  function partTemplate(value: JsonValue, place: PathLink): Evaluate | null {
    if (typeof value === "string") return hasTemplate(value) ? textTemplate(value, pathOf(place)) : null;
    if (Array.isArray(value)) {
      const items = value.map((item, key) => partTemplate(item, { within: place, key }));
      if (items.every((item) => item === null)) return null;
      return (scope) => items.map((item, at) => (item === null ? copyOf(value[at] ?? null) : item(scope)));
    }
    if (!isRecord(value)) return null;
    const entries = Object.entries(value).map(
      ([key, item]) => [key, item, partTemplate(item, { within: place, key })] as const,
    );
    if (entries.every(([, , evaluate]) => evaluate === null)) return null;
    return (scope) =>
      Object.fromEntries(
        entries.map(([key, item, evaluate]) => [key, evaluate === null ? copyOf(item) : evaluate(scope)]),
      );
  }

  const template: StepCompiler["template"] = (value, path) => {
    const evaluate = partTemplate(value, path);
    return evaluate === null ? () => copyOf(value) : (scope) => boundedInput(evaluate(scope));
  };

  return {
    expression,
    template,
    problem,
    action: services.find,
    code,
    models,
    pages,
    readsAllSteps: () => reads.add("all"),
    whenDeployed: (check) => void found.deployChecks.push(async () => (await check()).map(located)),
    text(value, path, inspect) {
      const evaluate = textTemplate(value, path, inspect);
      return (scope: ExpressionScope) => asText(boundedInput(evaluate(scope)));
    },
  };
}

/** Where a value stands: as links below the field, since a copy of the path for each value would cost depth times size. */
type PathLink = Path | { readonly within: PathLink; readonly key: string | number };

function pathOf(place: PathLink): Path {
  const keys: (string | number)[] = [];
  let at = place;
  while ("within" in at) {
    keys.push(at.key);
    at = at.within;
  }
  return [...at, ...keys.reverse()];
}

/** Characters of what a step is given. A short template may name a large output any number of times. */
const MAX_INPUT_CHARS = 64 * MEBIBYTE;

/** @throws StepError `input_limit` before anybody makes a copy or a text of it. */
function boundedInput(value: JsonValue): JsonValue {
  if (leastLength(value, MAX_INPUT_CHARS) > MAX_INPUT_CHARS) throw inputLimitError();
  return value;
}

function joinText(parts: readonly (string | Evaluate)[], scope: ExpressionScope): string {
  let text = "";
  for (const part of parts) {
    text += typeof part === "string" ? part : asText(boundedInput(part(scope)));
    if (text.length > MAX_INPUT_CHARS) throw inputLimitError();
  }
  return text;
}

const inputLimitError = () =>
  new StepError("input_limit", `The input of the step exceeds ${MAX_INPUT_CHARS} characters.`);

/** Inside a text: texts as they are, everything else as JSON. */
function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
