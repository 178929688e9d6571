/** CEL made at home with JSON: numbers mix, any key is a key, and no expression works for long. */
import { type ASTNode, Environment, EvaluationError } from "@marcbachmann/cel-js";
import { isRecord } from "../json.ts";
import type { Budget } from "./cel-budget.ts";
import { registerFunctions } from "./cel-functions.ts";
import { type CelType, type Checker, evaluatorOf, nodesOf, replaceEvaluate, wrapCheck } from "./cel-library.ts";
import type { Patterns } from "./cel-patterns.ts";
import { joined, kindOf } from "./cel-values.ts";

/** Enough for whatever a person writes, too little to hold a server up. */
const LIMITS = { maxAstNodes: 2_000, maxDepth: 64, maxListElements: 1_000, maxMapEntries: 500, maxCallArguments: 32 };

/** What an environment is told about an expression before it is checked. */
export interface CelEnvironment {
  /** @throws Error of CEL with its range. */
  parse(text: string): ReturnType<Environment["parse"]>;
}

export function createEnvironment(names: readonly string[], budget: Budget, patterns: Patterns): CelEnvironment {
  const environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: LIMITS,
  });
  for (const name of names) environment.registerVariable(name, "dyn");
  environment.registerVariable("now", "google.protobuf.Timestamp");
  registerOperators(environment);
  const weights = new WeakMap<ASTNode, Weigh>();
  guard(environment, budget, weights);

  /** Most conditions call nothing, and a hundred signatures take longer to read than they do. */
  let hasFunctions = false;
  function addFunctions(): void {
    registerFunctions(environment, budget);
    patterns.register(environment);
    hasFunctions = true;
  }

  return {
    parse(text) {
      if (!hasFunctions && text.includes("(")) addFunctions();
      const parsed = environment.parse(text);
      for (const node of nodesOf(parsed.ast)) {
        loosen(node);
        weigh(node, budget, weights);
      }
      const { valid, error } = parsed.check();
      if (!valid && error !== undefined) throw error;
      return parsed;
    },
  };
}

type Numeric = number | bigint;

/**
 * Integers of CEL are 64-bit, numbers of JSON are doubles: an author should not have to know. A result whose type is not
 * named is taken to be of the type on the left, and `1 + input.x + 1` to be a sum of integers.
 */
function registerOperators(environment: Environment): void {
  for (const [left, right] of [
    ["double", "int"],
    ["int", "double"],
  ]) {
    environment.registerOperator(`${left} + ${right}: double`, (a: Numeric, b: Numeric) => Number(a) + Number(b));
    environment.registerOperator(`${left} - ${right}: double`, (a: Numeric, b: Numeric) => Number(a) - Number(b));
    environment.registerOperator(`${left} * ${right}: double`, (a: Numeric, b: Numeric) => Number(a) * Number(b));
    environment.registerOperator(`${left} / ${right}: double`, (a: Numeric, b: Numeric) => Number(a) / Number(b));
    environment.registerOperator(`${left} % ${right}: double`, (a: Numeric, b: Numeric) => Number(a) % Number(b));
  }
  environment.registerOperator("int == double", (a: Numeric, b: Numeric) => Number(a) === Number(b)); // either way round
  environment.registerOperator("double % double: double", (a: number, b: number) => a % b);
  environment.registerOperator("string + int: string", (a: string, b: bigint) => a + String(b));
  environment.registerOperator("string + double: string", (a: string, b: number) => a + String(b));
  environment.registerOperator("double + string: string", (a: number, b: string) => String(a) + b);
}

/** Told what a node gave. */
type Weigh = (value: unknown) => void;

/** What an error costs beside: it is made with its place in the text, at every place that lets it pass. */
const ERROR_COST = 100;
/** The built-in parts of a date in a time zone are read from a text that is made for it. */
const ZONE_COST = 2_000;

/** Counts each node that runs, and hands on data with a key `constructor` as a map: the library takes it for a class. */
function guard(environment: Environment, budget: Budget, weights: WeakMap<ASTNode, Weigh>): void {
  const evaluator = evaluatorOf(environment);
  const { run, debugType, debugTypeDeep } = evaluator;
  const mapType = debugType.call(evaluator, {});
  const types = new WeakMap<object, CelType>();

  evaluator.debugType = (value) => (hasOddKey(value) ? mapType : debugType.call(evaluator, value));

  // To find the first key of a large object takes as long as to list them all.
  evaluator.debugTypeDeep = (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return debugTypeDeep.call(evaluator, value);
    const known = types.get(value) ?? debugTypeDeep.call(evaluator, value);
    types.set(value, known);
    return known;
  };

  function counted(node: ASTNode, context: unknown): unknown {
    try {
      return run.call(evaluator, node, context);
    } catch (error) {
      budget.spend(ERROR_COST);
      throw error;
    }
  }

  evaluator.run = (node, context) => {
    budget.spend(1);
    const value = counted(node, context);
    if (typeof value === "object" || typeof value === "string") weights.get(node)?.(value);
    if (!hasOddKey(value)) return value;
    budget.spendOn(value);
    return new Map(Object.entries(value));
  };
}

function hasOddKey(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "constructor");
}

/** Built-in operators and functions whose work grows with what they are given pay for it through their operands. */
function weigh(node: ASTNode, { spend, spendOn, spendOnAll }: Budget, weights: WeakMap<ASTNode, Weigh>): void {
  switch (node.op) {
    case "+":
      for (const operand of node.args) weights.set(operand, spendOn);
      return;
    case "[]":
    case "[?]":
      weights.set(node.args[1], (value) => checkKey(value, node));
      return;
    case "in":
    case "==":
    case "!=": {
      const [left, right] = node.args;
      let other: unknown;
      weights.set(left, (value) => {
        other = value;
      });
      weights.set(right, (value) => {
        if (node.op === "in" && !Array.isArray(value)) checkKey(other, node);
        const isDeep = typeof other === "object" && other !== null;
        if (isDeep && typeof value === "object" && value !== null) spendOnAll(value);
        else if (node.op === "in" ? Array.isArray(value) : typeof value === "string") spendOn(value);
        other = undefined;
      });
      return;
    }
    case "call":
    case "rcall": {
      const [name] = node.args;
      const operands = node.op === "call" ? node.args[1] : [node.args[1], ...node.args[2]];
      const weighOperand: Weigh = (value) => {
        if (isZoned) spend(ZONE_COST >> 1);
        if (name === "size" ? !Array.isArray(value) : typeof value === "string" || value instanceof Uint8Array) {
          spendOn(value);
        }
      };
      const isZoned = operands.length === 2 && name.startsWith("get");
      for (const operand of operands) if (!weights.has(operand)) weights.set(operand, weighOperand);
    }
  }
}

/** What the library refuses although it has a meaning for data: branches of two types, `3.0 in [3]`, `[3][0.0]`, keys of any name. */
function loosen(node: ASTNode): void {
  if (node.op === "?:") {
    wrapCheck(node, (check) => (checker, self, context) => {
      try {
        return check(checker, self, context);
      } catch (error) {
        if (codeOf(error) !== "incompatible_ternary_branches") throw error;
        return checker.getType("dyn");
      }
    });
  } else if (node.op === "in" || node.op === "==" || node.op === "!=") {
    const [left, right] = node.args;
    wrapCheck(node, (check) => (checker, self, context) => {
      try {
        return check(checker, self, context);
      } catch (error) {
        if (codeOf(error) !== "no_such_overload" || !areAlike(checker, context, node.op, left, right)) throw error;
        Object.assign(self, { leftStaticType: undefined, rightStaticType: undefined }); // found by the values then
        return checker.getType("bool");
      }
    });
  } else if (node.op === "[]" || node.op === "[?]") {
    const [, index] = node.args;
    wrapCheck(node, (check) => (checker, self, context) => {
      try {
        return check(checker, self, context);
      } catch (error) {
        if (codeOf(error) !== "invalid_index_type" || !isNumeric(checker.check(index, context))) throw error;
        return checker.getType("dyn"); // whether it is whole is found by the value
      }
    });
  } else if (node.op === "rcall" && node.args[0] === "join") {
    joinAnything(node, node.args[1], node.args[2][0]);
  } else if (node.op === "map") {
    const entries = node.args;
    replaceEvaluate(node, (evaluator, _self, context) =>
      Object.fromEntries(
        entries.map(([key, value]) => {
          const name = evaluator.run(key, context);
          checkKey(name, key);
          return [name, evaluator.run(value, context)];
        }),
      ),
    );
  }
}

/** CEL's own joins texts alone, and judges a list by its first item. */
function joinAnything(node: ASTNode, receiver: ASTNode, argument: ASTNode | undefined): void {
  replaceEvaluate(node, (evaluator, _self, context) => {
    const items = evaluator.run(receiver, context);
    const between = argument === undefined ? "" : evaluator.run(argument, context);
    if (!Array.isArray(items)) throw wrongArgument(`join() needs a list, not ${kindOf(items)}`, node);
    if (typeof between !== "string") throw wrongArgument(`join() needs a text, not ${kindOf(between)}`, node);
    try {
      return joined(items, between);
    } catch (cause) {
      throw wrongArgument(`join(): ${cause instanceof Error ? cause.message : cause}`, node);
    }
  });
}

/** JavaScript would make a text of anything. */
function checkKey(key: unknown, node: ASTNode): void {
  if (typeof key !== "object" || key === null || typeof key.valueOf() === "bigint") return;
  throw wrongArgument(`A key is a text or a number, not ${kindOf(key)}`, node);
}

function wrongArgument(message: string, node: ASTNode): EvaluationError {
  return new EvaluationError({ code: "invalid_argument", message, node });
}

/** Lists and maps that differ in what they hold, and numbers in lists of numbers. */
function areAlike(checker: Checker, context: unknown, op: string, left: ASTNode, right: ASTNode): boolean {
  const a = checker.check(left, context);
  const b = checker.check(right, context);
  if (op !== "in") return a.kind === b.kind && (a.kind === "list" || a.kind === "map");
  return b.kind === "list" && isNumeric(a) && b.valueType !== undefined && isNumeric(b.valueType);
}

function isNumeric({ type }: CelType): boolean {
  return type === "int" || type === "double" || type === "uint";
}

function codeOf(error: unknown): unknown {
  return isRecord(error) ? error["code"] : undefined;
}
