/** What the CEL library refuses, or judges by its types, although it has a meaning for data: each is found by the values then. */
import { type ASTNode, EvaluationError } from "@marcbachmann/cel-js";
import { isRecord } from "../../json.ts";
import { type CelType, type Checker, replaceEvaluate, wrapCheck } from "./cel-internals.ts";
import { joined, kindOf } from "./functions/value-functions.ts";

/**
 * Takes branches of two types, another value of another type (`{"a": 1}.?a.orValue("none")`), lists of any things joined
 * or compared, numbers of any kind (`3.0 in [3]`, `[3][0.0]`), and keys of any name.
 */
export function loosen(node: ASTNode): void {
  switch (node.op) {
    case "?:":
      whereRefused(node, "incompatible_ternary_branches", (checker) => checker.getType("dyn"));
      break;
    case "+": {
      const [left, right] = node.args;
      const areLists: Loose = (checker, context) =>
        [left, right].every((operand) => checker.check(operand, context).kind === "list")
          ? checker.getType("list")
          : null;
      whereRefused(node, "no_such_overload", areLists);
      break;
    }
    case "in":
    case "==":
    case "!=": {
      const [left, right] = node.args;
      const alike: Loose = (checker, context) =>
        areAlike(node.op, checker.check(left, context), checker.check(right, context)) ? checker.getType("bool") : null;
      whereRefused(node, "no_such_overload", alike);
      break;
    }
    case "[]":
    case "[?]": {
      const [, index] = node.args;
      // Whether it is whole is found by the value.
      const numeric: Loose = (checker, context) =>
        isNumeric(checker.check(index, context)) ? checker.getType("dyn") : null;
      whereRefused(node, "invalid_index_type", numeric);
      break;
    }
    case "rcall": {
      const [name, receiver, [argument]] = node.args;
      if (name === "none" && receiver.op === "id") typedAs(node, (checker) => checker.getType("optional"));
      if (name === "join") joinAnything(node, receiver, argument);
      if (name === "or" || name === "orValue") {
        whereRefused(node, "incompatible_argument_type", (checker) => checker.getType("dyn"));
      }
      break;
    }
    // The library knows what is empty by a type that has no operators.
    case "list":
      if (node.args.length === 0) typedAs(node, (checker) => checker.getType("list"));
      break;
    case "map":
      typedAs(node, (checker, { keyType, valueType }) =>
        keyType?.type === "string" ? null : checker.getType(node.args.length === 0 ? "map" : `map<dyn, ${valueType}>`),
      );
      break;
    case "call":
      whereAmbiguous(node, ...node.args);
      break;
  }
}

/** The type of what is refused, null where that is right. */
type Loose = (checker: Checker, context: unknown) => CelType | null;

function whereRefused(node: ASTNode, code: string, loose: Loose): void {
  wrapCheck(node, (check) => (checker, self, context) => {
    try {
      return check(checker, self, context);
    } catch (error) {
      const type = isRecord(error) && error["code"] === code ? loose(checker, context) : null;
      if (type === null) throw error;
      Object.assign(self, { leftStaticType: undefined, rightStaticType: undefined }); // of operators: by the values then
      return type;
    }
  });
}

/** Gives a node another type, or leaves it the one it has. */
function typedAs(node: ASTNode, typeOf: (checker: Checker, type: CelType) => CelType | null): void {
  wrapCheck(node, (check) => (checker, self, context) => {
    const type = check(checker, self, context);
    return typeOf(checker, type) ?? type;
  });
}

/** With an operand that is only known when it runs, functions of one name may give different types: the library takes the first. */
function whereAmbiguous(node: ASTNode, name: string, operands: readonly ASTNode[]): void {
  wrapCheck(node, (check) => (checker, self, context) => {
    const type = check(checker, self, context);
    const types = operands.map((operand) => checker.check(operand, context));
    if (!types.some(({ kind }) => kind === "dyn")) return type;
    const { declarations } = checker.registry.functionCandidates(false, name, operands.length);
    const isSure = declarations.every((one) => one.returnType.name === type.name || !one.matchesArgs(types));
    return isSure ? type : checker.getType("dyn");
  });
}

/** CEL's own joins texts alone, and judges a list by its first item. */
function joinAnything(node: ASTNode, receiver: ASTNode, argument: ASTNode | undefined): void {
  replaceEvaluate(node, (evaluator, _self, context) => {
    const items = evaluator.run(receiver, context);
    const between = argument === undefined ? "" : evaluator.run(argument, context);
    if (!Array.isArray(items)) throw wrongArgument(`join() needs a list, not ${kindOf(items)}`, node);
    if (typeof between !== "string") throw wrongArgument(`join() needs a string, not ${kindOf(between)}`, node);
    try {
      return joined(items, between);
    } catch (cause) {
      throw wrongArgument(`join(): ${cause instanceof Error ? cause.message : cause}`, node);
    }
  });
}

function wrongArgument(message: string, node: ASTNode): EvaluationError {
  return new EvaluationError({ code: "invalid_argument", message, node });
}

/** Numbers, and lists and maps that differ in what they hold. */
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
