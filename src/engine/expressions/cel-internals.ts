/** Types for parts of the CEL library that its own types omit: macros, which are documented, and undocumented hooks. */
import { type ASTNode, type Environment, EvaluationError } from "@marcbachmann/cel-js";
import { isRecord } from "../../json.ts";
import type { Handler } from "./functions/handler.ts";

/** A CEL type as the type checker represents it. */
export interface CelType {
  readonly kind: string;
  readonly type: string;
  readonly name: string;
  readonly keyType?: CelType | undefined;
  readonly valueType?: CelType | undefined;
}

export interface Checker {
  createError(code: string, message: string, node: ASTNode): Error;
  /** Undocumented. */
  readonly registry: Registry;
  check(node: ASTNode, context: unknown): CelType;
  getType(name: string): CelType;
}

interface Declaration {
  readonly signature: string;
  readonly returnType: CelType;
  /** Only on functions. */
  matchesArgs(types: readonly CelType[]): unknown;
}

/** The overloads registered for a name and number of parameters. */
interface Overloads {
  readonly declarations: Declaration[];
  macro: unknown;
}

interface Registry {
  functionCandidates(isMethod: boolean, name: string, parameters: number): Overloads;
  operatorCandidates(operator: string): Overloads;
}

export interface Evaluator {
  /** Undocumented. */
  readonly registry: Registry;
  createError(code: string, message: string, node: ASTNode): Error;
  run(node: ASTNode, context: unknown): unknown;
  /** Returns the type of a value. Undocumented. */
  debugType(value: unknown): CelType;
  /** Like `debugType`, including the types of first items. Undocumented. */
  debugTypeDeep(value: unknown): CelType;
}

/** What the parser passes to a function that has parameters of type `ast`. */
export interface MacroCall {
  readonly ast: ASTNode;
  readonly receiver: ASTNode;
  readonly args: readonly ASTNode[];
  /** Undocumented. */
  readonly parser: Parser;
}

interface Parser {
  lexer: Lexer & { readonly constructor: LexerClass };
}

export type LexerClass = new () => Lexer & { readonly constructor: LexerClass };

/** Splits an expression into tokens. Undocumented. */
export interface Lexer {
  readonly input: string;
  pos: number;
  readonly tokenType: number;
  tokenValue: unknown;
  reset(input: string): string;
  nextToken(): Lexer;
  readString(quote: string, prefix?: string): Lexer;
  processEscapes(offset: number, text: string, isBytes: boolean): string;
  token(pos: number, type: number, value?: unknown): Lexer;
  _closeQuotedString(start: number, raw: string, prefix: string | undefined, pos: number): Lexer;
  _parseAsDouble(start: number, end: number): Lexer;
}

export interface Macro {
  typeCheck(checker: Checker, macro: Macro, context: unknown): CelType;
  evaluate(evaluator: Evaluator, macro: Macro, context: unknown): unknown;
  readonly async: false;
}

type Check = (checker: Checker, node: ASTNode, context: unknown) => CelType;
/** Evaluates a checked binary node from the values of its operands. */
type Handle = (left: unknown, right: unknown, node: ASTNode, evaluator: Evaluator) => unknown;
type Evaluate = (evaluator: Evaluator, node: ASTNode, context: unknown) => unknown;

/** The undocumented hooks of a node, for checking and evaluating it. */
interface Hooked {
  readonly meta: { readonly check: Check; readonly macro?: Macro };
  setMeta(key: "check", value: Check): unknown;
  setMeta(key: "macro", value: Macro): unknown;
  setMeta(key: "evaluate", value: Evaluate): unknown;
}

function isHooked(node: object): node is Hooked {
  return "setMeta" in node && "meta" in node;
}

function asHooked(node: ASTNode): Hooked {
  if (!isHooked(node)) throw new Error("This version of @marcbachmann/cel-js is not supported: its nodes have no meta");
  return node;
}

/** Replaces a node's type check. @param wrap Receives the original check. */
export function wrapCheck(node: ASTNode, wrap: (check: Check) => Check): void {
  const inner = asHooked(node);
  const { check, macro } = inner.meta;
  if (macro === undefined) {
    inner.setMeta("check", wrap(check));
    return;
  }
  const wrapped = wrap((checker, _node, context) => macro.typeCheck(checker, macro, context));
  inner.setMeta("macro", { ...macro, typeCheck: (checker, _macro, context) => wrapped(checker, node, context) });
}

/** Replaces how a binary node handles its operands' values. @param wrap Receives the original handler. */
export function wrapHandle(node: ASTNode, wrap: (handle: Handle) => Handle): void {
  wrapCheck(node, (check) => (checker, self, context) => {
    const type = check(checker, self, context);
    if ("handle" in self && typeof self.handle === "function") self.handle = wrap(self.handle as Handle);
    return type;
  });
}

export function replaceEvaluate(node: ASTNode, evaluate: Evaluate): void {
  asHooked(node).setMeta("evaluate", evaluate);
}

interface Hooks {
  readonly evaluator: Evaluator;
  readonly parser: Parser;
}

const hooks = new WeakMap<Environment, Hooks>();

/** Returns the evaluator that runs every node of an environment. */
export function evaluatorOf(environment: Environment): Evaluator {
  return hooksOf(environment).evaluator;
}

/**
 * Gets the evaluator, which operators receive as their fourth operand, and the parser, which macros receive. To do so,
 * it registers `int + string`. Registering also makes the environment copy the overloads that all environments share,
 * so that they can be replaced.
 */
function hooksOf(environment: Environment): Hooks {
  const known = hooks.get(environment);
  if (known !== undefined) return known;
  let evaluator: unknown;
  let parser: unknown;
  environment.registerOperator("int + string: string", (...[left, right, , candidate]: unknown[]) => {
    evaluator ??= candidate;
    return `${left}${right}`;
  });
  environment.registerFunction("hook(ast): string", (call: MacroCall) => {
    parser = call.parser;
    return { async: false, typeCheck: (checker: Checker) => checker.getType("string"), evaluate: () => "" };
  });
  environment.evaluate("1 + hook(1)");
  if (!isEvaluator(evaluator) || !isParser(parser)) {
    throw new Error("This version of @marcbachmann/cel-js is not supported: it has no evaluator or no parser");
  }
  remove(evaluator.registry.functionCandidates(false, "hook", 1), "hook(");
  const found = { evaluator, parser };
  hooks.set(environment, found);
  return found;
}

function isParser(value: unknown): value is Parser {
  return isRecord(value) && isRecord(value["lexer"]) && "nextToken" in value["lexer"];
}

/** Replaces an environment's lexer with a subclass of it. */
export function replaceLexer(environment: Environment, extend: (base: LexerClass) => LexerClass): void {
  const { parser } = hooksOf(environment);
  const extended = extend(parser.lexer.constructor);
  parser.lexer = new extended();
}

function isEvaluator(value: unknown): value is Evaluator {
  return isRecord(value) && ["run", "debugType", "debugTypeDeep", "registry"].every((name) => name in value);
}

export type Operator = Parameters<Environment["registerOperator"]>[1];

/**
 * Registers a function in place of the library's overload with the same parameters, or with `int` where this has `dyn`.
 */
export function replaceFunction(environment: Environment, signature: string, handler: Handler): void {
  const call = signature.slice(0, signature.indexOf(": "));
  const [, receiver, name = "", parameters = ""] = /^(?:([\w.<>]+)\.)?(\w+)\((.*)\)$/.exec(call) ?? [];
  const count = parameters === "" ? 0 : parameters.split(", ").length;
  const overloads = evaluatorOf(environment).registry.functionCandidates(receiver !== undefined, name, count);
  remove(overloads, `${call}: `);
  remove(overloads, `${call.replaceAll("dyn", "int")}: `);
  environment.registerFunction(signature, handler, { async: false });
}

/**
 * Replaces an operator such as `int + int: int` or `-int: int`. Errors of the handler get their position in the text.
 */
export function replaceOperator(environment: Environment, signature: string, handler: Operator): void {
  const call = signature.slice(0, signature.indexOf(": ")).replace(/^-(\w)/, "-_$1");
  const [, operator = "-_"] = call.split(" ");
  remove(evaluatorOf(environment).registry.operatorCandidates(operator), `${call}: `);
  environment.registerOperator(signature, (left: unknown, right: unknown, third?: unknown) => {
    try {
      return handler(left, right);
    } catch (cause) {
      const node = operator === "-_" ? right : third;
      if (!isNode(node) || cause instanceof EvaluationError) throw cause;
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new EvaluationError({ code: "invalid_argument", message, node, cause });
    }
  });
}

function remove(overloads: Overloads, call: string): void {
  const index = overloads.declarations.findIndex(({ signature }) => signature.startsWith(call));
  if (index < 0) return;
  overloads.declarations.splice(index, 1);
  overloads.macro = false;
}

export function isNode(value: unknown): value is ASTNode {
  return isRecord(value) && typeof value["op"] === "string" && "args" in value;
}

/** Yields every node of a tree. Iterative, so that depth cannot overflow the call stack. */
export function* nodesOf(root: ASTNode): Generator<ASTNode> {
  const open: unknown[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (isNode(next)) {
      yield next;
      open.push(next.args);
    }
  }
}
