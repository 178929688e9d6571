/** CEL adapted to JSON: numeric types mix, any string is a valid key, and evaluation is limited. */
import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { type CelType, evaluatorOf, nodesOf } from "./cel-internals.ts";
import { evaluateByValue } from "./functions/by-value.ts";
import { registerFunctions } from "./functions/functions.ts";
import type { Patterns } from "./functions/re2-patterns.ts";
import { registerStandardFunctions } from "./functions/standard-functions.ts";
import { readAllLiterals, refuseLargeIntegers } from "./lexer.ts";
import type { Budget } from "./operation-budget.ts";
import { registerOperators } from "./operators.ts";
import { relaxTypes } from "./relaxed-types.ts";

/** High enough for any hand-written expression, low enough to protect the server. */
const LIMITS = { maxAstNodes: 2_000, maxDepth: 64, maxListElements: 1_000, maxMapEntries: 500, maxCallArguments: 32 };

/** A CEL environment with a fixed set of variables. */
export interface CelEnvironment {
  /** @throws Error of the CEL library, with its range. */
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
  readAllLiterals(environment);
  registerOperators(environment, budget);
  const weights = new WeakMap<ASTNode, Weigh>();
  guard(environment, budget, weights);

  /**
   * Functions are registered on demand: most conditions call none, and registration takes longer than their evaluation.
   */
  let hasFunctions = false;
  function addFunctions(): void {
    registerStandardFunctions(environment, budget);
    registerFunctions(environment, budget);
    patterns.register(environment);
    hasFunctions = true;
  }

  return {
    parse(text) {
      if (!hasFunctions && text.includes("(")) addFunctions();
      const parsed = environment.parse(text);
      const nodes = [...nodesOf(parsed.ast)];
      refuseLargeIntegers(nodes);
      for (const node of nodes) {
        relaxTypes(node, budget);
        evaluateByValue(node, budget);
        weigh(node, budget, weights);
      }
      const { valid, error } = parsed.check();
      if (!valid && error !== undefined) throw error;
      return parsed;
    },
  };
}

/** Called with the value of a node. */
type Weigh = (value: unknown) => void;

/** Additional cost of an error: every node that it passes through adds its position. */
const ERROR_COST = 100;
/** Cost of getting a part of a date in a time zone, which formats and parses the date. */
const ZONE_COST = 2_000;

/**
 * Counts each evaluated node. Converts objects with a key `constructor` to maps: the library would treat them as
 * classes.
 */
function guard(environment: Environment, budget: Budget, weights: WeakMap<ASTNode, Weigh>): void {
  const evaluator = evaluatorOf(environment);
  const { run, debugType, debugTypeDeep } = evaluator;
  const mapType = debugType.call(evaluator, {});
  const types = new WeakMap<object, CelType>();

  evaluator.debugType = (value) => (hasOddKey(value) ? mapType : debugType.call(evaluator, value));

  // Cached, because finding the first key of a large object takes as long as listing all keys.
  evaluator.debugTypeDeep = (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return debugTypeDeep.call(evaluator, value);
    const known = types.get(value) ?? debugTypeDeep.call(evaluator, value);
    types.set(value, known);
    return known;
  };

  function evaluateCounted(node: ASTNode, context: unknown): unknown {
    try {
      return run.call(evaluator, node, context);
    } catch (error) {
      budget.spend(ERROR_COST);
      throw error;
    }
  }

  evaluator.run = (node, context) => {
    budget.spend(1);
    const value = evaluateCounted(node, context);
    if (typeof value === "object" || typeof value === "string") weights.get(node)?.(value);
    if (!hasOddKey(value)) return value;
    budget.spendOn(value);
    return new Map(Object.entries(value));
  };
}

function hasOddKey(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "constructor");
}

/** Charges built-in operators and functions for the size of their operands. */
function weigh(node: ASTNode, { spend, spendOn }: Budget, weights: WeakMap<ASTNode, Weigh>): void {
  switch (node.op) {
    case "+":
      for (const operand of node.args) weights.set(operand, spendOn);
      return;
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
