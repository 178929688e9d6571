/**
 * Makes operators and map literals use the equality in `equality.ts`. The library compares by type and by JavaScript
 * key.
 */
import { type ASTNode, EvaluationError } from "@marcbachmann/cel-js";
import { replaceEvaluate, wrapHandle } from "../cel-internals.ts";
import type { Budget } from "../operation-budget.ts";
import { areEqual, contains, entryOf, isMap, keyOf, mapOf } from "./equality.ts";
import { kindOf } from "./value-functions.ts";

export function evaluateByValue(node: ASTNode, budget: Budget): void {
  switch (node.op) {
    case "==":
    case "!=":
      compareByValue(node, node.args, budget);
      return;
    case "in":
      findByValue(node, node.args, budget);
      return;
    case "[]":
    case "[?]":
      findByKey(node);
      return;
    case "map":
      refuseRepeatedKeys(node.args);
      buildMap(node, node.args);
  }
}

function compareByValue(node: ASTNode, [left, right]: readonly [ASTNode, ASTNode], budget: Budget): void {
  const isEqual = node.op === "==";
  replaceEvaluate(node, (evaluator, _self, context) => {
    const a = evaluator.run(left, context);
    const b = evaluator.run(right, context);
    chargeComparison(a, b, budget);
    return areEqual(a, b) === isEqual;
  });
}

function findByValue(node: ASTNode, [left, right]: readonly [ASTNode, ASTNode], budget: Budget): void {
  replaceEvaluate(node, (evaluator, _self, context) => {
    const value = evaluator.run(left, context);
    const within = evaluator.run(right, context);
    if (Array.isArray(within)) {
      if (typeof value === "object" && value !== null) budget.spendOnAll(within);
      else budget.spendOn(within);
      return contains(within, value);
    }
    if (isMap(within)) return entryOf(within, keyOf(value)) !== undefined;
    const message = `\`in\` needs a list or a map, not ${kindOf(within)}`;
    throw new EvaluationError({ code: "no_such_overload", message, node });
  });
}

/**
 * Charges for a comparison. Comparing lists or maps may read all of `b`; comparing strings reads at most the shorter
 * one.
 */
function chargeComparison(a: unknown, b: unknown, { spendOn, spendOnAll }: Budget): void {
  if (typeof b === "string") spendOn(typeof a === "string" && a.length < b.length ? a : b);
  else if (typeof a === "object" && a !== null && typeof b === "object" && b !== null) spendOnAll(b);
}

/** Integers of any type find the same item or entry: `xs[0u]`, `xs[input.at]`. */
function findByKey(node: ASTNode): void {
  wrapHandle(node, (handle) => (from, key, self, evaluator) => {
    if (typeof key === "object" && typeof keyOf(key) !== "bigint") throw notKey(key, self);
    return handle(from, keyOf(key), self, evaluator);
  });
}

type Entries = readonly (readonly [ASTNode, ASTNode])[];

function buildMap(node: ASTNode, entries: Entries): void {
  replaceEvaluate(node, (evaluator, _self, context) => {
    const map = new Map<unknown, unknown>();
    for (const [keyNode, valueNode] of entries) {
      const key = keyAt(keyNode, evaluator.run(keyNode, context));
      if (map.has(key)) throw repeatedKeyError(key, keyNode);
      map.set(key, evaluator.run(valueNode, context));
    }
    return mapOf(map);
  });
}

/** @throws EvaluationError for duplicate keys that are literals, before evaluation. */
function refuseRepeatedKeys(entries: Entries): void {
  const keys = new Set<unknown>();
  for (const [node] of entries) {
    if (node.op !== "value") continue;
    const key = keyAt(node, node.args);
    if (keys.has(key)) throw repeatedKeyError(key, node);
    keys.add(key);
  }
}

function keyAt(node: ASTNode, value: unknown): unknown {
  const key = keyOf(value);
  if (typeof key === "string" || typeof key === "bigint" || typeof key === "boolean") return key;
  throw notKey(value, node);
}

function notKey(value: unknown, node: ASTNode): EvaluationError {
  const actual = typeof value === "number" ? String(value) : kindOf(value);
  const message = `A map key must be a string, an integer or a boolean, not ${actual}`;
  return new EvaluationError({ code: "invalid_argument", message, node });
}

function repeatedKeyError(key: unknown, node: ASTNode): EvaluationError {
  const message = `Map keys must be unique: ${JSON.stringify(String(key).slice(0, 50))} is repeated`;
  return new EvaluationError({ code: "repeated_key", message, node });
}
