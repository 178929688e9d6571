/**
 * Relaxes type checks of the CEL library that reject meaningful operations on data. Values decide at run time instead.
 */
import { type ASTNode, EvaluationError } from "@marcbachmann/cel-js";
import { isRecord } from "../../json.ts";
import { type CelType, type Checker, replaceEvaluate, wrapCheck } from "./cel-internals.ts";
import { joinItems, kindOf } from "./functions/value-functions.ts";
import type { Budget } from "./operation-budget.ts";

/**
 * Accepts conditionals with branches of different types, and alternatives of a different type (`{"a":
 * 1}.?a.orValue("none")`). Also accepts mixed lists in `+`, `==` and `join()`, mixed numeric types (`3.0 in [3]`,
 * `[3][0.0]`), and any key.
 */
export function relaxTypes(node: ASTNode, budget: Budget): void {
  switch (node.op) {
    case "?:":
      acceptRejected(node, "incompatible_ternary_branches", (checker) => checker.getType("dyn"));
      break;
    case "+": {
      const [left, right] = node.args;
      const ifLists: RelaxedCheck = (checker, context) =>
        [left, right].every((operand) => checker.check(operand, context).kind === "list")
          ? checker.getType("list")
          : null;
      acceptRejected(node, "no_such_overload", ifLists);
      break;
    }
    case "in":
    case "==":
    case "!=": {
      const [left, right] = node.args;
      const ifAlike: RelaxedCheck = (checker, context) =>
        areAlike(node.op, checker.check(left, context), checker.check(right, context)) ? checker.getType("bool") : null;
      acceptRejected(node, "no_such_overload", ifAlike);
      break;
    }
    case "[]":
    case "[?]": {
      const [, index] = node.args;
      // The value decides at run time whether the index is an integer.
      const ifNumeric: RelaxedCheck = (checker, context) =>
        isNumeric(checker.check(index, context)) ? checker.getType("dyn") : null;
      acceptRejected(node, "invalid_index_type", ifNumeric);
      break;
    }
    case "rcall": {
      const [name, receiver, [argument]] = node.args;
      if (name === "none" && receiver.op === "id") overrideType(node, (checker) => checker.getType("optional"));
      if (name === "join") replaceJoin(node, receiver, argument, budget);
      if (name === "or" || name === "orValue") {
        acceptRejected(node, "incompatible_argument_type", (checker) => checker.getType("dyn"));
      }
      break;
    }
    // The library's type for empty literals has no operators.
    case "list":
      if (node.args.length === 0) overrideType(node, (checker) => checker.getType("list"));
      break;
    case "map":
      overrideType(node, (checker, { keyType, valueType }) =>
        keyType?.type === "string" ? null : checker.getType(node.args.length === 0 ? "map" : `map<dyn, ${valueType}>`),
      );
      break;
    case "call":
      widenAmbiguousType(node, ...node.args);
      break;
  }
}

/** Returns the type of a rejected node, or null if the rejection is right. */
type RelaxedCheck = (checker: Checker, context: unknown) => CelType | null;

function acceptRejected(node: ASTNode, code: string, loose: RelaxedCheck): void {
  wrapCheck(node, (check) => (checker, self, context) => {
    try {
      return check(checker, self, context);
    } catch (error) {
      const type = isRecord(error) && error["code"] === code ? loose(checker, context) : null;
      if (type === null) throw error;
      // Makes operators decide by the values.
      Object.assign(self, { leftStaticType: undefined, rightStaticType: undefined });
      return type;
    }
  });
}

/** Replaces a node's type, unless `typeOf` returns null. */
function overrideType(node: ASTNode, typeOf: (checker: Checker, type: CelType) => CelType | null): void {
  wrapCheck(node, (check) => (checker, self, context) => {
    const type = check(checker, self, context);
    return typeOf(checker, type) ?? type;
  });
}

/**
 * If an operand's type is only known at run time, overloads may return different types. The library assumes the first
 * one's.
 */
function widenAmbiguousType(node: ASTNode, name: string, operands: readonly ASTNode[]): void {
  wrapCheck(node, (check) => (checker, self, context) => {
    const type = check(checker, self, context);
    const types = operands.map((operand) => checker.check(operand, context));
    if (!types.some(({ kind }) => kind === "dyn")) return type;
    const { declarations } = checker.registry.functionCandidates(false, name, operands.length);
    const isSure = declarations.every((one) => one.returnType.name === type.name || !one.matchesArgs(types));
    return isSure ? type : checker.getType("dyn");
  });
}

/** The library's `join` accepts only strings, and judges a list by its first item. */
function replaceJoin(node: ASTNode, receiver: ASTNode, argument: ASTNode | undefined, budget: Budget): void {
  replaceEvaluate(node, (evaluator, _self, context) => {
    const items = evaluator.run(receiver, context);
    const between = argument === undefined ? "" : evaluator.run(argument, context);
    if (!Array.isArray(items)) throw wrongArgument(`join() needs a list, not ${kindOf(items)}`, node);
    if (typeof between !== "string") throw wrongArgument(`join() needs a string, not ${kindOf(between)}`, node);
    try {
      return joinItems(items, between, budget);
    } catch (cause) {
      if (cause instanceof EvaluationError) throw cause;
      throw wrongArgument(`join(): ${cause instanceof Error ? cause.message : cause}`, node);
    }
  });
}

function wrongArgument(message: string, node: ASTNode): EvaluationError {
  return new EvaluationError({ code: "invalid_argument", message, node });
}

/** Whether both are numbers, or collections of the same kind with possibly different contents. */
function areAlike(op: string, left: CelType, right: CelType): boolean {
  if (op !== "in") return (isNumeric(left) && isNumeric(right)) || areCollections(left, right);
  const { kind, valueType: item } = right;
  return kind === "list" && item !== undefined && areAlike("==", left, item);
}

function areCollections({ kind }: CelType, other: CelType): boolean {
  return kind === other.kind && ["list", "map", "optional"].includes(kind);
}

function isNumeric({ type }: CelType): boolean {
  return type === "int" || type === "double" || type === "uint";
}
