/** Rules for tests: none depends on the speed of the machine, and none passes without a check. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";
import { LONGEST } from "./support/longest-files.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Files that may read a clock or set a timer, each with its reason. */
const MAY_USE_TIME: Readonly<Record<string, string>> = {
  "test/support/until.ts": "polls a condition, with no limit of its own",
  "test/support/client/slow-stream.ts": "ends a body later, in the time of fake timers",
  "test/support/engine/quick-clock.ts": "a clock whose timers are real ones made shorter",
  "test/faults/crash-matrix/": "kills processes at moments in time",
  "test/simulation/run.ts": "tells how long it took; not part of the suite",
  "test/faults/takeover/run.ts": "tells how long it took; not part of the suite",
  "test/faults/cluster/": "kills and stops processes at moments in time",
  "test/faults/poison/": "kills processes at moments in time",
  "test/faults/forms/": "kills processes at moments in time; the test in the suite counts submissions instead",
  "test/faults/clock-jump.ts": "is about the clock of the machine",
  "test/faults/owner.ts": "a program that stays alive until it is killed",
  "test/storage/sqlite/owner.ts": "a program that stays alive until it is killed",
  "test/support/frozen-time.ts": "stops the timers of the process",
  "test/support/cpu-time.ts": "compares CPU time with CPU time of the same process",
  "test/safety/net-run.ts": "reports a scenario that hangs, on runtimes without a test runner",
};

const TIMERS = new Set(["setTimeout", "setInterval"]);
const CLOCKS = new Set([
  "performance.now",
  "Date.now",
  "process.cpuUsage",
  "process.hrtime",
  "performance.eventLoopUtilization",
  "monitorEventLoopDelay",
]);
/** They time out after a second by default. */
const TIMED_WAITS = new Set(["vi.waitFor", "vi.waitUntil"]);
const LEFT_OUT = new Set(["only", "skip", "todo", "fails"]);
const TESTS = new Set(["it", "test", "it.each", "test.each", "it.for", "test.for", "it.concurrent.for"]);

const files = readdirSync(join(root, "test"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".d.ts"))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .sort()
  .map((path) => ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), ts.ScriptTarget.Latest, true));

/** `it.each` of `it.each([…])("title", …)`; empty for any other expression. */
function nameOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return `${nameOf(node.expression)}.${node.name.text}`;
  return ts.isCallExpression(node) ? nameOf(node.expression) : "";
}

const isFunction = (node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node);

/** The body of a test, if the node declares one. */
function bodyOf(node: ts.Node): ts.Block | null {
  if (!ts.isCallExpression(node) || !TESTS.has(nameOf(node.expression))) return null;
  const body = node.arguments.find(isFunction)?.body;
  return body !== undefined && ts.isBlock(body) ? body : null;
}

type Judge = (node: ts.Node, file: ts.SourceFile) => string | null;

/** The objection of each rule to a node, or null; all rules see each node once. */
const RULES = {
  count: (node) => (bodyOf(node) === null ? null : "a test"),

  time(node, file) {
    if (Object.keys(MAY_USE_TIME).some((place) => file.fileName.startsWith(place))) return null;
    if (ts.isImportDeclaration(node)) {
      const isTimers = /^["'](node:)?timers/.test(node.moduleSpecifier.getText());
      const names = node.importClause?.namedBindings?.getText() ?? "";
      return isTimers && !/^\{ setImmediate( as \w+)? \}$/.test(names) ? `imports ${names} from timers` : null;
    }
    if (!ts.isCallExpression(node)) return null;
    const name = nameOf(node.expression);
    // With fake timers, the clock stands still until the test moves it.
    const isFake = file.text.includes("vi.useFakeTimers(");
    return TIMERS.has(name) || (CLOCKS.has(name) && !isFake) ? `calls ${name}` : null;
  },

  limits(node, file) {
    // With a test clock, the seconds pass only when the test says so.
    const isBrief = ts.isStringLiteral(node) && /^wait=[1-9]\d{0,2}$/.test(node.text);
    if (isBrief && ts.isPropertyAssignment(node.parent) && !file.text.includes("createTestClock(")) {
      return `waits for the end of a run for at most ${node.text.slice(5)} s: use wait=9999`;
    }
    if (!ts.isCallExpression(node)) return null;
    const name = nameOf(node.expression);
    if (TIMED_WAITS.has(name)) return `calls ${name}: use expect.poll or until`;
    const isTest = TESTS.has(name);
    if (!isTest && name !== "expect.poll") return null;
    const hasOption = node.arguments.some(
      (one) => ts.isObjectLiteralExpression(one) && /timeout\b/.test(one.getText()),
    );
    return hasOption || (isTest && node.arguments.length > 2) ? `gives ${name} a time limit` : null;
  },

  leftOut(node) {
    if (!ts.isPropertyAccessExpression(node) || !LEFT_OUT.has(node.name.text)) return null;
    const [declares = ""] = nameOf(node.expression).split(".");
    return ["it", "test", "describe"].includes(declares) ? node.getText() : null;
  },

  returns(node) {
    const statements = bodyOf(node)?.statements ?? [];
    const returns = (part: ts.Node): boolean =>
      ts.isReturnStatement(part) || (!ts.isFunctionLike(part) && ts.forEachChild(part, returns) === true);
    return statements.slice(0, -1).some(returns) ? "returns early" : null;
  },
} satisfies Record<string, Judge>;

const found: Record<keyof typeof RULES, string[]> = { count: [], time: [], limits: [], leftOut: [], returns: [] };

function visit(file: ts.SourceFile, node: ts.Node): void {
  for (const rule of ["count", "time", "limits", "leftOut", "returns"] as const) {
    const problem = RULES[rule](node, file);
    if (problem === null) continue;
    found[rule].push(`${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1} ${problem}`);
  }
  ts.forEachChild(node, (child) => visit(file, child));
}
for (const file of files) visit(file, file);

it("tests are found", () => expect(found.count.length).toBeGreaterThan(500));
it("tests do not read a clock or set a timer", () => expect(found.time, found.time.join("\n")).toEqual([]));
it("tests have no time limits", () => expect(found.limits, found.limits.join("\n")).toEqual([]));
it("tests are never skipped or run alone", () => expect(found.leftOut, found.leftOut.join("\n")).toEqual([]));
it("tests do not return before their last statement", () =>
  expect(found.returns, found.returns.join("\n")).toEqual([]));

it("the files that run first exist", () => {
  const paths = new Set(files.map(({ fileName }) => fileName));
  expect(LONGEST.filter((path) => !paths.has(path))).toEqual([]);
});
