/** CEL made at home with JSON: numbers mix, results are plain JSON. DESIGN 5.3; https://cel.dev. Loaded on first use. */
import { type ASTNode, Environment, Optional } from "@marcbachmann/cel-js";
import { isRecord, type JsonValue, parseJson } from "../json.ts";
import { LOOP_NAMES, NAMES, type Scope } from "./scope.ts";
import { StepError } from "./step-error.ts";

/** A compiled expression. @throws StepError `expression_failed`, with where. */
export type Evaluate = (scope: Scope) => JsonValue;

export interface Expression {
  readonly evaluate: Evaluate;
  /** Keys of the steps that it names as `steps.KEY` or `steps["KEY"]`. */
  readonly steps: readonly string[];
}

export interface Cel {
  /** @throws CelProblem when it cannot be compiled. */
  compile(text: string, inLoop: boolean): Expression;
}

/** Why a text is no expression; the message says where. */
export class CelProblem extends Error {
  override readonly name = "CelProblem";
}

/** Enough for whatever a person writes, too little to hold a server up. */
const LIMITS = { maxAstNodes: 2_000, maxDepth: 64, maxListElements: 1_000, maxMapEntries: 500, maxCallArguments: 32 };

export function createCel(): Cel {
  const plain = environment();
  const looping = plain.clone();
  for (const name of LOOP_NAMES) looping.registerVariable(name, "dyn");

  return {
    compile(text, inLoop) {
      const parsed = parse(inLoop ? looping : plain, text);
      return {
        steps: stepsNamed(parsed.ast),
        evaluate(scope) {
          try {
            return toJson(parsed({ ...scope }));
          } catch (error) {
            throw new StepError("expression_failed", located(error, text), { cause: error });
          }
        },
      };
    },
  };
}

function parse(environment: Environment, text: string) {
  try {
    const parsed = environment.parse(text);
    const { valid, error } = parsed.check();
    if (!valid && error !== undefined) throw error;
    return parsed;
  } catch (error) {
    throw new CelProblem(located(error, text), { cause: error });
  }
}

/** Integers of CEL are 64-bit, numbers of JSON are doubles: an author should not have to know. */
function environment(): Environment {
  const env = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false, limits: LIMITS });
  for (const name of NAMES) env.registerVariable(name, "dyn");
  env.registerVariable("now", "google.protobuf.Timestamp");

  type Numeric = number | bigint;
  for (const [left, right] of [
    ["double", "int"],
    ["int", "double"],
  ]) {
    env.registerOperator(`${left} + ${right}`, (a: Numeric, b: Numeric) => Number(a) + Number(b));
    env.registerOperator(`${left} - ${right}`, (a: Numeric, b: Numeric) => Number(a) - Number(b));
    env.registerOperator(`${left} * ${right}`, (a: Numeric, b: Numeric) => Number(a) * Number(b));
    env.registerOperator(`${left} / ${right}`, (a: Numeric, b: Numeric) => Number(a) / Number(b));
    env.registerOperator(`${left} % ${right}`, (a: Numeric, b: Numeric) => Number(a) % Number(b));
  }
  env.registerOperator("int == double", (a: Numeric, b: Numeric) => Number(a) === Number(b)); // either way round
  env.registerOperator("double % double", (a: number, b: number) => a % b);
  env.registerOperator("string + int", (a: string, b: bigint) => a + String(b));
  env.registerOperator("string + double", (a: string, b: number) => a + String(b));
  env.registerOperator("int + string", (a: bigint, b: string) => String(a) + b);
  env.registerOperator("double + string", (a: number, b: string) => String(a) + b);

  env.registerFunction("json(dyn): string", (value: unknown) => JSON.stringify(toJson(value)));
  env.registerFunction("parseJson(string): dyn", (text: string): unknown => parseJson(text));
  env.registerFunction("string(google.protobuf.Timestamp): string", (moment: Date) => moment.toISOString());
  env.registerFunction("round(double): int", (value: number) => BigInt(Math.round(value)));
  env.registerFunction("round(int): int", (value: bigint) => value);
  env.registerFunction("sum(list): double", (values: readonly Numeric[]) =>
    values.reduce((sum: number, value) => sum + Number(value), 0),
  );
  env.registerFunction("keys(map): list<string>", (value: object) => Object.keys(value));
  env.registerFunction("values(map): list", (value: object): unknown[] => Object.values(value));
  env.registerFunction("string.replace(string, string): string", (text: string, from: string, to: string) =>
    text.replaceAll(from, () => to),
  );
  return env;
}

/** A value of CEL as plain JSON; the value itself where it is that already. */
export function toJson(value: unknown): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "bigint":
      return Number(value);
    case "number":
      if (!Number.isFinite(value)) throw new Error(`The result ${value} is not a number that JSON can hold`);
      return value;
  }
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) {
    const items = value.map(toJson);
    return items.some((item, index) => item !== value[index]) ? items : (value as JsonValue[]); // each item is JSON
  }
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Optional) return value.hasValue() ? toJson(value.value()) : null;
  if (value instanceof Uint8Array) return String.fromCharCode(...value);
  if (value instanceof Map) return toJson(Object.fromEntries(value));
  const number: unknown = value.valueOf?.(); // of an unsigned integer
  if (typeof number === "bigint") return Number(number);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!isRecord(value) || (prototype !== Object.prototype && prototype !== null)) return String(value);
  let same = prototype !== null;
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => {
    const kept = toJson(item);
    same &&= kept === item;
    return [key, kept];
  });
  return same ? (value as { [key: string]: JsonValue }) : Object.fromEntries(entries); // each value is JSON
}

/** `No such key: total, at 6 of "input.total"`. */
function located(error: unknown, text: string): string {
  if (!(error instanceof Error)) return String(error);
  const { summary, range } = error as Error & { summary?: string; range?: { start: number } }; // CEL's own errors have them
  const reason = summary ?? error.message;
  return range === undefined ? `${reason}, in ${quoted(text)}` : `${reason}, at ${range.start + 1} of ${quoted(text)}`;
}

const quoted = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);

/** Walks the tree with a stack of its own. */
function stepsNamed(root: ASTNode): string[] {
  const named = new Set<string>();
  const open: unknown[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) open.push(...node);
    else if (isNode(node)) {
      const key = stepKey(node);
      if (key !== undefined) named.add(key);
      open.push(node.args);
    }
  }
  return [...named];
}

function stepKey({ op, args }: ASTNode): string | undefined {
  if (op !== "." && op !== ".?" && op !== "[]" && op !== "[?]") return undefined;
  const [from, name] = args;
  if (from.op !== "id" || from.args !== "steps") return undefined;
  const key = typeof name === "string" ? name : name.op === "value" ? name.args : undefined;
  return typeof key === "string" ? key : undefined;
}

function isNode(value: unknown): value is ASTNode {
  return isRecord(value) && typeof value["op"] === "string" && "args" in value;
}
