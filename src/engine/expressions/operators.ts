/** CEL operators: numeric types mix, strings are ordered by code points, and bytes are ordered. */
import type { Environment } from "@marcbachmann/cel-js";
import { replaceOperator } from "./cel-internals.ts";
import { compareTexts } from "./functions/code-points.ts";
import { areEqual, compareBytes } from "./functions/equality.ts";
import type { Budget } from "./operation-budget.ts";

type Numeric = number | bigint;

/**
 * CEL integers are 64-bit and JSON numbers are doubles; authors shouldn't need to know. Without an explicit result
 * type, the library assumes the type of the left operand, and `1 + input.x + 1` would be an integer sum.
 */
export function registerOperators(environment: Environment, budget: Budget): void {
  for (const [left, right] of [
    ["double", "int"],
    ["int", "double"],
    ["uint", "int"],
    ["int", "uint"],
    ["uint", "double"],
    ["double", "uint"],
  ]) {
    environment.registerOperator(`${left} + ${right}: double`, (a: Numeric, b: Numeric) => Number(a) + Number(b));
    environment.registerOperator(`${left} - ${right}: double`, (a: Numeric, b: Numeric) => Number(a) - Number(b));
    environment.registerOperator(`${left} * ${right}: double`, (a: Numeric, b: Numeric) => Number(a) * Number(b));
    environment.registerOperator(`${left} / ${right}: double`, (a: Numeric, b: Numeric) => Number(a) / Number(b));
    environment.registerOperator(`${left} % ${right}: double`, (a: Numeric, b: Numeric) => Number(a) % Number(b));
  }
  // Only for the type check, in both orders. `equality.ts` decides whether values are equal.
  for (const pair of ["int == double", "uint == int", "uint == double"]) environment.registerOperator(pair, areEqual);
  environment.registerOperator("double % double: double", (a: number, b: number) => a % b);
  environment.registerOperator("string + int: string", (a: string, b: bigint) => a + String(b));
  environment.registerOperator("string + double: string", (a: string, b: number) => a + String(b));
  environment.registerOperator("double + string: string", (a: number, b: string) => String(a) + b);
  replaceOperator(environment, "-int: int", (value: bigint) => checkRange(-value));
  // In CEL, `7 / 2` is 3, but `input.q / 2` would be 3.5. Authors cannot see which values are integers.
  replaceOperator(environment, "int / int: dyn", (a: bigint, b: bigint) => {
    if (b === 0n) throw new Error("division by zero");
    return a % b === 0n ? checkRange(a / b) : Number(a) / Number(b);
  });
  registerOrder<string>(environment, "string", (a, b) => {
    budget.spend(Math.min(a.length, b.length) >> 4);
    return compareTexts(a, b);
  });
  registerOrder<Uint8Array>(environment, "bytes", compareBytes);
}

const MAX_INT = 2n ** 63n - 1n;

/** Checks the upper limit only: a negation or division can exceed no other. */
function checkRange(value: bigint): bigint {
  if (value > MAX_INT) throw new Error(`integer overflow: ${value}`);
  return value;
}

/** Registers `<`, `<=`, `>` and `>=`. */
export function registerOrder<Value>(
  environment: Environment,
  type: string,
  compare: (a: Value, b: Value) => number | bigint,
): void {
  replaceOperator(environment, `${type} < ${type}: bool`, (a: Value, b: Value) => compare(a, b) < 0);
  replaceOperator(environment, `${type} <= ${type}: bool`, (a: Value, b: Value) => compare(a, b) <= 0);
  replaceOperator(environment, `${type} > ${type}: bool`, (a: Value, b: Value) => compare(a, b) > 0);
  replaceOperator(environment, `${type} >= ${type}: bool`, (a: Value, b: Value) => compare(a, b) >= 0);
}
