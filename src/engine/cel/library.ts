/** What the types of the CEL library leave out of what it does: macros, which it documents, and two hooks, which it does not. */
import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { isRecord } from "../../json.ts";

/** A type of CEL, as the check sees it. */
export interface CelType {
  readonly kind: string;
  readonly type: string;
  readonly valueType?: CelType | undefined;
}

export interface Checker {
  check(node: ASTNode, context: unknown): CelType;
  getType(name: string): CelType;
}

export interface Evaluator {
  run(node: ASTNode, context: unknown): unknown;
  /** The type of a value. Undocumented. */
  debugType(value: unknown): CelType;
  /** The same with the types of first items. Undocumented. */
  debugTypeDeep(value: unknown): CelType;
}

/** What a function with parameters of type `ast` is given when it is parsed. */
export interface MacroCall {
  readonly ast: ASTNode;
  readonly receiver: ASTNode;
  readonly args: readonly ASTNode[];
}

export interface Macro {
  typeCheck(checker: Checker, macro: Macro, context: unknown): CelType;
  evaluate(evaluator: Evaluator, macro: Macro, context: unknown): unknown;
  readonly async: false;
}

type Check = (checker: Checker, node: ASTNode, context: unknown) => CelType;
type Evaluate = (evaluator: Evaluator, node: ASTNode, context: unknown) => unknown;

/** The undocumented side of a node: how it is checked and evaluated. */
interface Hooked {
  readonly meta: { readonly check: Check; readonly macro?: Macro };
  setMeta(key: "check", value: Check): unknown;
  setMeta(key: "macro", value: Macro): unknown;
  setMeta(key: "evaluate", value: Evaluate): unknown;
}

function isHooked(node: object): node is Hooked {
  return "setMeta" in node && "meta" in node;
}

function hooked(node: ASTNode): Hooked {
  if (!isHooked(node)) throw new Error("This version of @marcbachmann/cel-js is not known: its nodes have no meta");
  return node;
}

/** Checks a node by way of another function, which is given the one there was. */
export function wrapCheck(node: ASTNode, wrap: (check: Check) => Check): void {
  const inner = hooked(node);
  const { check, macro } = inner.meta;
  if (macro === undefined) {
    inner.setMeta("check", wrap(check));
    return;
  }
  const wrapped = wrap((checker, _node, context) => macro.typeCheck(checker, macro, context));
  inner.setMeta("macro", { ...macro, typeCheck: (checker, _macro, context) => wrapped(checker, node, context) });
}

export function replaceEvaluate(node: ASTNode, evaluate: Evaluate): void {
  hooked(node).setMeta("evaluate", evaluate);
}

/** What runs every node of an environment: operators are told it as their fourth operand. Registers `int + string`. */
export function evaluatorOf(environment: Environment): Evaluator {
  let found: unknown;
  environment.registerOperator("int + string: string", (...[left, right, , evaluator]: unknown[]) => {
    found ??= evaluator;
    return `${left}${right}`;
  });
  environment.evaluate("1 + ''");
  if (!isEvaluator(found)) throw new Error("This version of @marcbachmann/cel-js is not known: no evaluator");
  return found;
}

function isEvaluator(value: unknown): value is Evaluator {
  return isRecord(value) && "run" in value && "debugType" in value && "debugTypeDeep" in value;
}

export function isNode(value: unknown): value is ASTNode {
  return isRecord(value) && typeof value["op"] === "string" && "args" in value;
}

/** Every node of a tree as it was written, with a stack of its own. */
export function* nodesOf(root: ASTNode): Generator<ASTNode> {
  const open: unknown[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...next);
    else if (isNode(next)) {
      yield next;
      open.push(next.args);
    }
  }
}
