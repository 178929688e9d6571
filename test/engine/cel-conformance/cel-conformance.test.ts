/** Expressions against the published CEL conformance cases. */
import { beforeAll, describe, expect, it } from "vitest";
import { type CelEnvironment, createEnvironment } from "../../../src/engine/expressions/environment.ts";
import { createPatterns } from "../../../src/engine/expressions/functions/re2-patterns.ts";
import { createBudget } from "../../../src/engine/expressions/operation-budget.ts";
import { type ConformanceCase, comparable, readConformanceCases, writeValue } from "./conformance-cases.ts";
import { DIFFERENCES } from "./differences.ts";

const budget = createBudget();
const patterns = createPatterns(budget);
beforeAll(() => patterns.prepare("matches"));
const environments = new Map<string, CelEnvironment>();

function environmentOf(names: readonly string[]): CelEnvironment {
  const key = names.join();
  const environment = environments.get(key) ?? createEnvironment(names, budget, patterns);
  environments.set(key, environment);
  return environment;
}

/** The result of the expression in the notation of the cases. */
function evaluate({ expression, bindings }: ConformanceCase): string {
  try {
    const parsed = environmentOf([...bindings.keys()]).parse(expression);
    return comparable(writeValue(budget.within(() => parsed(Object.fromEntries(bindings)))));
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RangeError) throw error;
    return `{"error":true} (${error.message.split("\n")[0]})`;
  }
}

const isSame = (given: string, expected: string) => given === expected || given.startsWith(`${expected} (`);

const cases = readConformanceCases();
const differing = new Map(
  Object.entries(DIFFERENCES).flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
);

describe("a CEL conformance case", () => {
  it.each(cases.filter(({ name }) => !differing.has(name)))("$name: $expression", (row) => {
    const given = evaluate(row);
    const expected = comparable(row.expected);
    expect(isSame(given, expected) ? expected : given).toBe(expected);
  });
});

describe("a CEL conformance case that differs on purpose", () => {
  it.each(cases.filter(({ name }) => differing.has(name)))("$name: $expression", (row) => {
    expect(isSame(evaluate(row), comparable(row.expected))).toBe(false);
  });

  it("is listed exactly once, and exists", () => {
    const names = cases.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect([...differing.keys()].filter((name) => !names.includes(name))).toEqual([]);
    expect([...differing]).toHaveLength(Object.values(DIFFERENCES).flat().length);
  });
});
