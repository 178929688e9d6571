/** No pattern takes more than linear time, whatever it is matched against. */
import { checkSync } from "recheck/lib/browser.js";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { nodesOf } from "../source-files.ts";

/** Patterns that the analyser does not pass, each with the reason why it is harmless. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

/** Milliseconds for one pattern; most take two. What takes longer is no answer, and counts as flagged. */
const TIMEOUT_MS = 300_000;

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

/** The verdict of the analyser; one that is about the machine is asked for again. */
function verdict({ source, flags }: Pattern): string {
  const found = checkSync(source, flags, { timeout: TIMEOUT_MS, attackTimeout: null, incubationTimeout: null });
  if (found.status === "safe") return "safe";
  return found.status === "unknown" ? `unknown: ${found.error.kind}` : found.complexity.summary;
}

describe("the patterns of the source", () => {
  it("are found", () => expect(literals.size).toBeGreaterThan(100));

  it("are literals, which can be analysed", () => expect(assembled).toEqual([]));

  it("have an exception only where they need one", () => {
    expect(Object.keys(EXCEPTIONS).filter((pattern) => !literals.has(pattern))).toEqual([]);
  });

  it.each([...literals].filter(([pattern]) => EXCEPTIONS[pattern] === undefined))(
    "%s is matched in linear time",
    (_, pattern) => expect(verdict(pattern), pattern.place).toBe("safe"),
    TIMEOUT_MS + 60_000,
  );

  it("are told from those that are not", () => {
    expect(verdict({ source: '"((?:\\\\["\\\\]|[^"])*)"', flags: "" })).toContain("exponential");
    expect(verdict({ source: "^\\s*(\\d*)\\s*-\\s*(\\d*)\\s*$", flags: "" })).toContain("polynomial");
  });
});
