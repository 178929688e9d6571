/** What an expression reads of steps, by its syntax. Pure. */
import type { ASTNode } from "@marcbachmann/cel-js";
import { nodesOf } from "./cel-internals.ts";

export interface StepsRead {
  /** Keys of the steps that it reads as `steps.KEY` or `steps["KEY"]`. */
  readonly steps: readonly string[];
  /** Whether it also uses `steps` in another way, so that the steps it reads are only known at run time. */
  readonly isDynamic: boolean;
}

export function stepsRead(root: ASTNode): StepsRead {
  const named = new Set<string>();
  let others = 0;
  for (const node of nodesOf(root)) {
    const { from, name } = selectionOf(node) ?? {};
    if (from !== undefined && isSteps(from) && name !== undefined) {
      named.add(name);
      others--; // don't count the `steps` node inside it
    }
    if (isSteps(node)) others++;
  }
  return { steps: [...named], isDynamic: others > 0 };
}

/** Names after a variable, such as from the key of a step on: `["approve", "output", "ok"]` for `steps.approve.output.ok`. */
export type StepPath = readonly string[];

/** A variable whose fields are known before a run. */
export type KnownVariable = "steps" | "input";

/**
 * The fields that an expression reads, with those before them: also `["approve", "output"]` for `steps.approve.output.ok`. Without
 * fields that may be missing, because the expression asks for them: `has(x.y)`, `"y" in x` and `x.?y`.
 */
export function fieldsRead(root: ASTNode, variable: KnownVariable): StepPath[] {
  // A step without any of its fields is checked elsewhere.
  const least = variable === "steps" ? 2 : 1;
  const read = new Map<string, StepPath>();
  const asked = new Set<string>();
  for (const node of nodesOf(root)) {
    const path = pathOf(node, variable);
    if (path !== null && path.length >= least) read.set(JSON.stringify(path), path);
    const question = questionOf(node, variable);
    if (question !== null) asked.add(JSON.stringify(question));
  }
  return [...read.values()].filter((path) => path.every((_, at) => !asked.has(JSON.stringify(path.slice(0, at + 1)))));
}

/**
 * The longest paths that an expression reads of these variables: `["input", "total"]` for `input.total > 1`. A path ends where
 * only the run knows the next name.
 */
export function pathsRead(root: ASTNode, variables: readonly string[]): StepPath[] {
  const nodes = [...nodesOf(root)];
  const continued = new Set<ASTNode>();
  for (const node of nodes) {
    const found = selectionOf(node);
    if (found?.name !== undefined) continued.add(found.from);
  }
  const read = new Map<string, StepPath>();
  for (const node of nodes) {
    if (continued.has(node)) continue;
    const names: string[] = [];
    let at = node;
    for (let found = selectionOf(at); found?.name !== undefined; found = selectionOf(at)) {
      names.push(found.name);
      at = found.from;
    }
    if (at.op !== "id" || !variables.includes(at.args)) continue;
    const path = [at.args, ...names.reverse()];
    read.set(JSON.stringify(path), path);
  }
  return [...read.values()];
}

const isSteps = ({ op, args }: ASTNode) => op === "id" && args === "steps";

interface Selection {
  readonly from: ASTNode;
  /** Undefined if only the run knows it. */
  readonly name: string | undefined;
  /** Whether a missing field is no error. */
  readonly isOptional: boolean;
}

function selectionOf({ op, args }: ASTNode): Selection | null {
  if (op !== "." && op !== ".?" && op !== "[]" && op !== "[?]") return null;
  const [from, key] = args;
  const name = typeof key === "string" ? key : key.op === "value" ? key.args : undefined;
  return { from, name: typeof name === "string" ? name : undefined, isOptional: op === ".?" || op === "[?]" };
}

/** Iterative, so that a long path cannot overflow the call stack. */
function pathOf(node: ASTNode, variable: KnownVariable, isAsked = false): StepPath | null {
  const names: string[] = [];
  let at = node;
  for (let found = selectionOf(at); found !== null; found = selectionOf(at)) {
    if (found.name === undefined || (found.isOptional && !(isAsked && at === node))) return null;
    names.push(found.name);
    at = found.from;
  }
  return at.op === "id" && at.args === variable ? names.reverse() : null;
}

/** The field that the expression asks for. */
function questionOf(node: ASTNode, variable: KnownVariable): StepPath | null {
  if (selectionOf(node)?.isOptional === true) return pathOf(node, variable, true);
  if (node.op === "call" && node.args[0] === "has") {
    const [field] = node.args[1];
    return field === undefined ? null : pathOf(field, variable, true);
  }
  if (node.op !== "in") return null;
  const [name, map] = node.args;
  const path = pathOf(map, variable);
  return name.op === "value" && typeof name.args === "string" && path !== null ? [...path, name.args] : null;
}
