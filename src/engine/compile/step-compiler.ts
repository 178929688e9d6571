/**
 * Creates the compiler of one step: compiles its expressions and templates, and reports problems with JSON Pointers.
 */
import { MEBIBYTE } from "../../encoding/bytes.ts";
import type { FieldError } from "../../errors.ts";
import { copyOf, isRecord, type JsonValue, pointer } from "../../json.ts";
import { groupedDigits } from "../../messages/grouped-digits.ts";
import type { Services } from "../../services/registry.ts";
import { isForEach, type Step } from "../../workflows/step.ts";
import { type Cel, type Evaluate, type Expression, rangeOf } from "../expressions/cel.ts";
import type { ExpressionScope, Place } from "../expressions/expression-scope.ts";
import { hasTemplate, parseTemplate, TemplateProblem } from "../expressions/template.ts";
import type { AutoFields } from "../model/auto-fields.ts";
import type { CreateSchemaCheck } from "../model/json-schema.ts";
import { inField, StepError } from "../step-error.ts";
import type { WebPages } from "../steps/web-page.ts";
import type { FieldProblem } from "./output-shapes.ts";
import type { Reads } from "./reads.ts";
import type { CodeRunner, ModelRunner, Path, Problem, StepCompiler } from "./step-implementation.ts";
import type { VisibleSteps } from "./visible-steps.ts";

/** The services and runners that steps are compiled against. */
export interface CompileContext {
  readonly services: Services;
  readonly code: CodeRunner;
  readonly models: ModelRunner;
  readonly pages: WebPages;
  readonly schemaCheck: CreateSchemaCheck;
}

export type DeployCheck = () => Promise<readonly FieldError[]>;

interface StepCompilerParts extends CompileContext {
  readonly cel: Cel | null;
  readonly step: Step;
  readonly index: number;
  readonly visible: VisibleSteps;
  readonly auto: AutoFields;
  readonly reads: Reads;
  readonly fieldProblem: FieldProblem;
  readonly inputProblem: FieldProblem;
  onProblem(problem: FieldError): void;
  onDeployCheck(check: DeployCheck): void;
  /** Called for checks whose findings prevent no deployment. */
  onWarningCheck(check: DeployCheck): void;
  /** Called for each expression if CEL is not loaded. */
  onExpression(): void;
}

export function createStepCompiler({
  cel,
  services,
  code,
  models,
  pages,
  schemaCheck,
  step,
  index,
  visible,
  auto,
  reads,
  fieldProblem,
  inputProblem,
  onProblem,
  onDeployCheck,
  onWarningCheck,
  onExpression,
}: StepCompilerParts): StepCompiler {
  const located = ({ path, message }: Problem) => ({ pointer: pointer(["steps", index, ...path]), message });
  const ownPlace: Place = step.loop !== undefined ? "loop" : isForEach(step) ? "for_each" : "anywhere";
  const problem: StepCompiler["problem"] = (path, message) => onProblem(located({ path, message }));
  const warn: StepCompiler["warn"] = (path, message) => onWarningCheck(async () => [located({ path, message })]);
  const whenDeployed: StepCompiler["whenDeployed"] = (check) => onDeployCheck(async () => (await check()).map(located));

  function checkNames({ steps, isDynamic, fieldsRead }: Expression, path: readonly (string | number)[]): void {
    reads.add(isDynamic ? "all" : steps);
    // Only for deployments: a version that was deployed may have an expression that no run evaluates.
    if (steps.length > 0) {
      whenDeployed(async () => fieldsRead("steps").flatMap((read) => problemAt(path, fieldProblem(read))));
    }
    // No error: an input may come from a start that this version does not know yet, and such versions are deployed.
    onWarningCheck(async () => fieldsRead("input").flatMap((read) => problemAt(path, inputProblem(read)).map(located)));
    for (const key of steps) {
      const isOwn = key === step.key && step.loop !== undefined;
      const message = isOwn ? null : visible.problem(index, key);
      if (message !== null) problem(path, message);
    }
  }

  const problemAt = (path: Path, message: string | null): Problem[] => (message === null ? [] : [{ path, message }]);

  function expression(text: string, path: Path, place = ownPlace, start = 0): Evaluate {
    if (cel === null) {
      onExpression();
      return () => null;
    }
    try {
      const compiled = cel.compile(text, place);
      checkNames(compiled, path);
      const field = pointer(path);
      return (scope) => {
        try {
          return compiled.evaluate(scope);
        } catch (thrown) {
          throw inField(thrown, field);
        }
      };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const range = error instanceof Error ? rangeOf(error) : undefined;
      const span = range === undefined ? {} : { at: start + range.start, end: start + range.end };
      onProblem({ ...located({ path, message }), ...span });
      return () => null;
    }
  }

  function textTemplate(text: string, path: Path, inspect?: (piece: string) => void): Evaluate {
    if (!hasTemplate(text)) return () => text;
    try {
      const parts = parseTemplate(text).map((part) => {
        if (typeof part === "string") return part;
        const evaluate = auto.compile(part, path) ?? expression(part.expression, path, ownPlace, part.at);
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
      onProblem({ ...located({ path, message: error.message }), at: error.at, end: text.length });
      return () => null;
    }
  }

  /** Returns null for a value without expressions, which is copied as is. */
  function partTemplate(value: JsonValue, node: PathNode | null): Evaluate | null {
    if (typeof value === "string") return hasTemplate(value) ? textTemplate(value, pathOf(node)) : null;
    if (Array.isArray(value)) {
      const items = value.map((item, key) => partTemplate(item, { parent: node, key }));
      if (items.every((item) => item === null)) return null;
      return (scope) => items.map((item, at) => (item === null ? copyOf(value[at] ?? null) : item(scope)));
    }
    if (!isRecord(value)) return null;
    const entries = Object.entries(value).map(
      ([key, item]) => [key, item, partTemplate(item, { parent: node, key })] as const,
    );
    if (entries.every(([, , evaluate]) => evaluate === null)) return null;
    return (scope) =>
      Object.fromEntries(
        entries.map(([key, item, evaluate]) => [key, evaluate === null ? copyOf(item) : evaluate(scope)]),
      );
  }

  const template: StepCompiler["template"] = (value, path) => {
    const evaluate = partTemplate(value, pathNodeOf(path));
    return evaluate === null ? () => copyOf(value) : (scope) => boundedInput(evaluate(scope));
  };

  return {
    expression,
    listExpression(text, path, place) {
      const [, inner] = BRACED.exec(text) ?? [];
      if (inner === undefined) return expression(text, path, place);
      return expression(inner, path, place, text.indexOf("{{") + 2);
    },
    template,
    problem,
    action: services.find,
    code,
    models,
    pages,
    schemaCheck,
    readsAllSteps: () => reads.add("all"),
    whenDeployed,
    warn,
    text(value, path, inspect) {
      const evaluate = textTemplate(value, path, inspect);
      return (scope: ExpressionScope) => asText(boundedInput(evaluate(scope)));
    },
  };
}

/** A text that is a single `{{ }}`. */
const BRACED = /^\s*\{\{((?:(?!\}\}).)*)\}\}\s*$/s;

/** A value's path as a linked list. Copying the path for each value would cost depth times size. */
interface PathNode {
  readonly parent: PathNode | null;
  readonly key: string | number;
}

function pathNodeOf(path: Path): PathNode | null {
  return path.reduce<PathNode | null>((parent, key) => ({ parent, key }), null);
}

function pathOf(node: PathNode | null): Path {
  const keys: (string | number)[] = [];
  for (let at = node; at !== null; at = at.parent) keys.push(at.key);
  return keys.reverse();
}

/** Maximum length of a step's input in characters. Even a short template can repeat a large output many times. */
const MAX_INPUT_CHARS = 64 * MEBIBYTE;

/** @throws StepError `input_limit`, before the value is copied or serialized. */
function boundedInput(value: JsonValue): JsonValue {
  if (inputChars(value, MAX_INPUT_CHARS) > MAX_INPUT_CHARS) throw inputLimitError();
  return value;
}

/** Short values count as more than they have: each takes time, and memory, wherever the input goes. */
const LEAST_CHARS = 8;
const FRACTION_CHARS = 20;

/** Characters of an input as JSON, about. Stops above the limit. */
function inputChars(value: JsonValue, limit: number): number {
  if (typeof value === "string") return Math.max(LEAST_CHARS, value.length + 2);
  if (typeof value !== "object" || value === null) {
    return typeof value === "number" && !Number.isSafeInteger(value) ? FRACTION_CHARS : LEAST_CHARS;
  }
  let sum = LEAST_CHARS;
  if (!Array.isArray(value)) {
    for (const key in value) sum += key.length + 3;
  }
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (sum > limit) break;
    sum += inputChars(item, limit - sum);
  }
  return sum;
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
  new StepError("input_limit", `The input of the step exceeds ${groupedDigits(MAX_INPUT_CHARS)} characters.`);

/** Converts a value within a text: strings stay as they are, everything else becomes JSON. */
function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
