/**
 * Every regular expression of the source matches in linear time. Those that were found to are listed in
 * linear-patterns.json, because the analysis takes a minute. `npx vitest run -u test/safety/patterns.test.ts` analyzes new
 * ones and adds them. Delete the list to analyze all again, as for a new version of the analyzer.
 */
import { readFileSync } from "node:fs";
import recheck from "recheck";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { nodesOf } from "../support/source-files.ts";

/** Patterns that the analyser flags or cannot analyse, each with the reason why it is harmless. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

const VERSION: string = JSON.parse(readFileSync("node_modules/recheck/package.json", "utf8")).version;
/** For one pattern; most take a few milliseconds. A slower one counts as unknown. */
const TIMEOUT_MS = 60_000;
const LIMITS = { timeout: TIMEOUT_MS, attackTimeout: null, incubationTimeout: null, randomSeed: 1 };
/** Exact, but for regular patterns only: no lookaround or backreferences. */
const AUTOMATON = { ...LIMITS, checker: "automaton" } as const;
/** For the others: searches for a slow text. */
const FUZZ = {
  ...LIMITS,
  checker: "fuzz",
  maxIteration: 5,
  maxInitialGenerationSize: 200,
  maxGenerationSize: 40,
} as const;

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

const literals = new Map<string, Pattern & { readonly place: string }>();
const assembled: string[] = [];
for (const { node, place } of nodesOf(["src", "adapters", "examples"])) {
  const found = patternIn(node);
  if (found === "assembled") assembled.push(place);
  else if (found !== null) literals.set(`/${found.source}/${found.flags}`, { ...found, place });
}

function patternIn(node: ts.Node): Pattern | "assembled" | null {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf("/");
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return null;
  if (node.expression.getText() !== "RegExp") return null;
  const [source, flags] = node.arguments ?? [];
  if (source === undefined || !ts.isStringLiteralLike(source)) return "assembled";
  if (flags !== undefined && !ts.isStringLiteralLike(flags)) return "assembled";
  return { source: source.text, flags: flags?.text ?? "" };
}

/** None if another version of the analyzer found them. */
function analyzedBefore(): ReadonlySet<string> {
  try {
    const { recheck: version, patterns } = JSON.parse(
      readFileSync(new URL("linear-patterns.json", import.meta.url), "utf8"),
    );
    return new Set(version === VERSION ? patterns : []);
  } catch {
    return new Set(); // no list
  }
}

/** `safe`, or the objection of the analyzer. */
async function verdict({ source, flags }: Pattern): Promise<string> {
  const exact = await recheck.check(source, flags, AUTOMATON);
  const found = exact.status === "unknown" ? await recheck.check(source, flags, FUZZ) : exact;
  if (found.status === "safe") return "safe";
  return found.status === "unknown" ? `unknown: ${found.error.kind}` : found.complexity.summary;
}

describe("the regular expressions of the source", () => {
  it("are found", () => expect(literals.size).toBeGreaterThan(100));

  it("are literals, so they can be analyzed", () => {
    // The copy of a pattern that the code in the sandbox has made itself.
    const isCopy = (place: string) => place.startsWith("adapters/sandbox/platform/structured-clone.ts:");
    expect(assembled.filter((place) => !isCopy(place))).toEqual([]);
    expect(assembled.filter(isCopy)).toHaveLength(1);
  });

  it("have exceptions only where they exist", () => {
    expect(Object.keys(EXCEPTIONS).filter((pattern) => !literals.has(pattern))).toEqual([]);
  });

  it("match in linear time", async () => {
    const flagged: string[] = [];
    const analyzed = analyzedBefore();
    for (const [pattern, { place, ...parts }] of literals) {
      if (EXCEPTIONS[pattern] !== undefined || analyzed.has(pattern)) continue;
      const found = await verdict(parts);
      if (found !== "safe") flagged.push(`${place}: ${pattern} is ${found}`);
    }
    expect(flagged).toEqual([]);
    const list = { recheck: VERSION, patterns: [...literals.keys()].sort() };
    await expect(`${JSON.stringify(list, null, 2)}\n`).toMatchFileSnapshot("linear-patterns.json");
  });

  it("are analyzed correctly: known slow ones are reported", async () => {
    expect(await verdict({ source: '"((?:\\\\["\\\\]|[^"])*)"', flags: "" })).toContain("exponential");
    expect(await verdict({ source: "^\\s*(\\d*)\\s*-\\s*(\\d*)\\s*$", flags: "" })).toContain("polynomial");
    expect(await verdict({ source: "^(?=.)(a|a)*$", flags: "" })).toContain("exponential");
  });
});
