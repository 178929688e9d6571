/** Sandboxed code always ends with a result or a clear error, reaches nothing of the host, and leaves the sandbox usable. */
import process from "node:process";
import fc from "fast-check";
import { afterAll, describe, expect, it, vi } from "vitest";
import { createQuickjsSandbox } from "../../adapters/sandbox/quickjs.ts";
import { jsonProblem } from "../../src/json.ts";
import { SandboxError, type SandboxLimits } from "../../src/ports/sandbox.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { times } from "../support/sample.ts";

const MEBI = 1024 * 1024;
/** Little memory, so it fills up soon; much time, because the machine may be busy. */
const LIMITS: SandboxLimits = {
  memoryBytes: 16 * MEBI,
  timeoutMs: 600_000,
  stackBytes: MEBI,
  outputCharacters: 100_000,
};

const sandbox = createQuickjsSandbox({ threads: 2 });
afterAll(() => sandbox.close());

interface Given extends Partial<SandboxLimits> {
  readonly globals?: Record<string, unknown>;
  readonly signal?: AbortSignal;
}

function run(code: string, { globals = {}, signal, ...limits }: Given = {}) {
  return sandbox.run({ code, globals, limits: { ...LIMITS, ...limits }, ...(signal === undefined ? {} : { signal }) });
}

async function value(code: string, given?: Given): Promise<unknown> {
  return (await run(code, given)).value;
}

async function failure(code: string, given?: Given): Promise<SandboxError> {
  const error: unknown = await run(code, given).then(
    (result) => new Error(`It gave ${JSON.stringify(result)}.`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SandboxError)) throw error;
  return error;
}

describe("sandboxed code", () => {
  it.each<[string, string, unknown]>([
    ["return", "return 1 + 1", 2],
    ["await", "const one = await Promise.resolve(1); return one + 1", 2],
    ["await of a value that is no promise", "return await 3", 3],
    ["promises", "return Promise.all([1, Promise.resolve(2)])", [1, 2]],
    ["a body without return", "1 + 1", null],
    ["an empty body", "", null],
    ["a comment at the end", "return 1 // one", 1],
    ["generators", "return [...(function* () { yield 1; yield 2 })()]", [1, 2]],
    [
      "async generators",
      "const all = []; for await (const x of (async function* () { yield 1 })()) all.push(x); return all",
      [1],
    ],
    ["eval within the sandbox", "return eval('1 + input.a')", 2],
    [
      "Function within the sandbox",
      "return new Function('return typeof process + typeof console.log')()",
      "undefinedfunction",
    ],
    [
      "Proxy",
      "return new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get: () => 7 })",
      { a: 7 },
    ],
    ["Date and Math.random", "return [typeof Date.now(), Math.random() < 1]", ["number", true]],
    ["any text", "return '\\0\\ud800😀' + input.text", "\0\ud800😀é\0"],
    ["objects without their inherited properties", "return Object.create({ a: 1 })", {}],
    ["names that shadow globals", "const input = 3; return input", 3],
    ["try and catch", "try { throw new Error('x') } catch (error) { return error.message }", "x"],
    [
      "promises that it does not await",
      "Promise.resolve().then(() => { throw new Error('nobody waits') }); return 1",
      1,
    ],
  ])("can use %s", async (_, code, expected) => {
    expect(await value(code, { globals: { input: { a: 1, text: "é\0" } } })).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ["return undefined", null],
    ["return () => 1", null],
    ["return Symbol('x')", null],
    ["return [NaN, Infinity, -0, undefined, () => 1]", [null, null, 0, null, null]],
    ["return { date: new Date(0), nothing: undefined, [Symbol('x')]: 1 }", { date: "1970-01-01T00:00:00.000Z" }],
    ["return { toJSON() { return { mine: 1 } } }", { mine: 1 }],
    ["Object.prototype.toJSON = () => 'all'; return { a: 1 }", "all"],
    ["return new Map([[1, 2]])", {}],
  ])("has its result converted to JSON: %s", async (code, expected) => {
    expect(await value(code)).toEqual(expected);
  });

  it("sees any JSON unchanged", async () => {
    await fc.assert(
      // Invalid keys are rejected; another test covers them.
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 5 }).filter((given) => jsonProblem(given) === null),
        async (given) => {
          const seen = await value("return { input, steps }", { globals: { input: given, steps: { a: given } } });
          expect(seen).toEqual(JSON.parse(JSON.stringify({ input: given, steps: { a: given } })));
        },
      ),
      { numRuns: times(15, 50) },
    );
  });

  it("logs any value at all levels", async () => {
    const { logs } = await run(`
      console.log("text", 1, null, undefined, { a: [1] }, [2], 3n, Symbol("s"), () => 1);
      console.info(new TypeError("wrong"));
      const circle = {}; circle.circle = circle;
      console.warn(circle);
      console.error({ toString() { throw 1 }, toJSON() { throw 2 } });
      console.debug("two\\nlines\\0");
      console.log();`);
    expect(logs).toEqual([
      'text 1 null undefined {"a":[1]} [2] 3 Symbol(s) () => 1',
      "TypeError: wrong",
      "[object Object]",
      "[object]",
      "two\nlines\0",
      "",
    ]);
  });

  it.each<[string, string, readonly unknown[]]>([
    ["1,000 lines", "for (let n = 0; n < 1000; n++) console.log(n)", Array.from({ length: 1000 }, (_, n) => `${n}`)],
    [
      "the first 1,000 of more",
      "for (let n = 0; n < 20000; n++) console.log(n)",
      [...Array.from({ length: 1000 }, (_, n) => `${n}`), "(19000 more lines omitted)"],
    ],
    ["64 Ki characters", "console.log('x'.repeat(65536))", ["x".repeat(65536)]],
    ["the beginning of a longer line", "console.log('x'.repeat(65537))", [`${"x".repeat(65536)}…`]],
    ["whole characters only", "console.log('x' + '😀'.repeat(33000))", [`x${"😀".repeat(32767)}…`]],
    [
      "no line after the limit",
      "console.log('x'.repeat(65000)); console.log('y'.repeat(65000)); console.log()",
      ["x".repeat(65000), `${"y".repeat(536)}…`, "(1 more line omitted)"],
    ],
  ])("keeps of its log %s", async (_, code, logs) => {
    expect((await run(code, { outputCharacters: MEBI })).logs).toEqual(logs);
    expect((await failure(`${code}; null.x`, { outputCharacters: MEBI })).logs).toEqual(logs);
  });

  it("has different random numbers in each call", async () => {
    const many = "return Array.from({ length: 1000 }, Math.random)";
    const calls = (await Promise.all([value(many), value(many), value(many)])) as number[][];
    expect(new Set(calls.flat()).size).toBe(3000);
    for (const [index, numbers] of calls.entries()) {
      expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
      expect(numbers.reduce((sum, number) => sum + number) / 1000, `call ${index}`).toBeCloseTo(0.5, 0);
    }
  });

  it("accepts 5 MB of source", async () => {
    expect(await value(`return '${"x".repeat(5_000_000)}'.length`, { memoryBytes: 64 * MEBI })).toBe(5_000_000);
    expect(await value(`${";".repeat(5_000_000)}return 1`, { memoryBytes: 64 * MEBI })).toBe(1);
  });
});

describe("sandboxed code that fails", () => {
  it.each<[string, string, number | undefined, string]>([
    ["throws an error", "\n\nthrow new TypeError('no good')", 3, "TypeError: no good (line 3, column 20)"],
    [
      "calls an undefined function",
      "const a = 1;\nfoo(a)",
      2,
      "ReferenceError: 'foo' is not defined (line 2, column 1)",
    ],
    [
      "throws in a function",
      "function f() {\n  null.x\n}\n\nf()",
      2,
      "TypeError: cannot read property 'x' of null (line 2, column 7)",
    ],
    ["throws on its first line", "null.x", 1, "TypeError: cannot read property 'x' of null (line 1, column 5)"],
    ["throws after await", "await 1;\nawait 2;\nthrow new Error('late')", 3, "Error: late (line 3, column 16)"],
    [
      "throws an error with another name",
      "const error = new Error('own'); error.name = 'Mine';\nthrow error",
      1,
      "Mine: own (line 1, column 24)",
    ],
    ["throws text", "throw 'text'", undefined, "thrown: text"],
    ["throws null", "throw null", undefined, "thrown: null"],
    ["throws nothing", "throw undefined", undefined, "thrown: undefined"],
    ["throws an object", "throw { a: 1 }", undefined, 'thrown: {"a":1}'],
    ["rejects", "await Promise.reject(new RangeError('far'))", 1, "RangeError: far (line 1, column 36)"],
    [
      "has a syntax error",
      "let a = 1;\nlet b = ;",
      2,
      "SyntaxError: unexpected token in expression: ';' (line 2, column 9)",
    ],
    ["has a syntax error at once", ")", 1, "SyntaxError: unexpected token in expression: ')' (line 1, column 1)"],
    ["ends early", "if (1) {\n  f(", 2, "SyntaxError: unexpected end of the code (line 2)"],
    ["waits forever", "await new Promise(() => {})", undefined, "The code awaits a promise that never settles."],
    ["imports", "await import('node:fs')", undefined, "ReferenceError: could not load module 'node:fs'"],
    [
      "returns a circular object",
      "const a = {}; a.a = a; return a",
      undefined,
      "The return value of the code cannot be converted to JSON: TypeError: circular reference",
    ],
    [
      "returns a BigInt",
      "return [1n]",
      undefined,
      "The return value of the code cannot be converted to JSON: TypeError: Do not know how to serialize a BigInt",
    ],
    [
      "returns a getter that throws",
      "return {\n  get a() { throw new Error('ha') } }",
      2,
      "The return value of the code cannot be converted to JSON: Error: ha (line 2, column 28)",
    ],
    [
      "returns an object whose toJSON throws",
      "return { toJSON() { throw 'ha' } }",
      undefined,
      "The return value of the code cannot be converted to JSON: thrown: ha",
    ],
    [
      "returns a revoked proxy",
      "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { proxy }",
      undefined,
      "The return value of the code cannot be converted to JSON: TypeError: revoked proxy",
    ],
    [
      "returns too deep a value",
      "let a = []; for (let i = 0; i < 500; i++) a = [a]; return a",
      undefined,
      "The return value of the code is invalid: Must not be nested deeper than 100 levels.",
    ],
    [
      "returns the key __proto__",
      "return JSON.parse('{\"__proto__\":1}')",
      undefined,
      'The return value of the code is invalid: The key "__proto__" is not allowed.',
    ],
  ])("%s: reports the message and line", async (_, code, line, message) => {
    const error = await failure(code);
    expect({ code: error.code, limit: error.limit, line: error.line, message: error.message }).toEqual({
      code: "code_failed",
      limit: undefined,
      line,
      message,
    });
  });

  it.each([
    "throw { get message() { throw 1 }, get name() { throw 2 } }",
    "throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })",
    "throw Object.assign(new Error(), { name: Symbol('x'), stack: {}, message: 1n })",
    "throw Object.assign(new Error('x'), { stack: 'at code.js:999999999999' })",
    "throw Object.create(null)",
    "throw () => 1",
    "Error.prototype.toString = JSON.stringify = String = null; throw new Error('x')",
    "Object.defineProperty(Array.prototype, 0, { set() { throw 1 } }); throw new Error('x')",
    "throw new Error('x'.repeat(1e6))",
  ])("is reported whatever it throws: %s", async (code) => {
    const error = await failure(code);
    expect(error.code).toBe("code_failed");
    expect(error.message.length).toBeLessThan(3000);
  });

  it("keeps the lines that it logged before", async () => {
    expect((await failure("console.log('one'); console.log('two'); null.x")).logs).toEqual(["one", "two"]);
    expect((await failure("console.log('one'); for (;;);", { timeoutMs: 1_000 })).logs).toEqual(["one"]);
  });
});

describe("sandboxed TypeScript", () => {
  it.each<[string, string, unknown]>([
    ["types", "const a: number = 1;\nreturn (a as unknown as { b: string }) satisfies object", 1],
    ["declarations", "interface A { b: string }\ntype C = A | null;\ndeclare const z: C;\nreturn 1", 1],
    ["generics", "const first = <T,>(all: T[]): T => all[0]!;\nreturn first<number>([7])", 7],
    ["enums", "enum Level { Low, High = 5 }\nreturn [Level.High, Level[0]]", [5, "Low"]],
    [
      "classes",
      "class P { constructor(private readonly x: number) {}\n get(): number { return this.x } }\nreturn new P(3).get()",
      3,
    ],
    ["await and globals", "const n: number = await Promise.resolve(input.a);\nreturn n + 1", 2],
    ["code that is also JavaScript as JavaScript", "const f = 3, a = 4, b = 1;\nreturn f<a>(b)", false],
  ])("runs %s", async (_, code, expected) => {
    expect(await value(code, { globals: { input: { a: 1 } } })).toEqual(expected);
    expect(await value(code, { globals: { input: { a: 1 } } })).toEqual(expected);
  });

  it.each<[string, string, number, RegExp]>([
    ["throws", "type A = {\n  a: string;\n};\nconst n: number = 1;\nthrow new Error('x')", 5, /^Error: x \(line 5\)$/],
    [
      "throws in a function over several lines",
      "function f(\n  a: number,\n  b: {\n    c: string\n  },\n): void {\n  null!.x;\n}\nf()",
      7,
      /line 7/,
    ],
    ["has a syntax error", "const a: number = 1;\nlet b = ;\nreturn a", 2, /^SyntaxError: .*line 2/],
    ["ends early", "const a: number = 1;\nif (a) {\n  f(", 3, /line 3/],
    ["declares a name twice", "const a: number = 1;\nconst a = 2;", 2, /line 2/],
  ])("that %s reports its line", async (_, code, line, message) => {
    const error = await failure(code);
    expect(error).toMatchObject({ code: "code_failed", line });
    expect(error.message).toMatch(message);
  });

  it("that takes too long to parse is stopped at the time limit, and the next call works", async () => {
    const deep = `const a: number = 1; return ${"(a=".repeat(40)}1${")=>1".repeat(40)} +`;
    expect(await failure(deep, { timeoutMs: 200 })).toMatchObject({ code: "code_limit", limit: "timeoutMs" });
    expect(await value("const a: number = 1; return a")).toBe(1);
  });

  it.each([
    ["parentheses", "(".repeat(50_000)],
    ["types", `type A = ${"{ a: ".repeat(20_000)}`],
    ["comparisons", `let a: number; a${" < b".repeat(20_000)}`],
    ["2 MB", `const a: number = 1;\n${"a;\n".repeat(700_000)}`],
  ])("that no parser can handle fails, and the next call works: %s", async (_, code) => {
    expect(await failure(code, { timeoutMs: 1_000 })).toBeInstanceOf(SandboxError);
    expect(await value("return 1")).toBe(1);
  });
});

describe("checking code without running it", () => {
  const read = async (code: string): Promise<unknown> => {
    try {
      await sandbox.check?.({ code, limits: LIMITS });
      return null;
    } catch (error) {
      return error;
    }
  };

  it.each(["return 1", "", "for (;;) {}", "throw 1", "const a: number = 1; while (true) {}", "await input.anything"])(
    "accepts %s",
    async (code) => expect(await read(code)).toBeNull(),
  );

  it.each<[string, number]>([
    ["let a = 1;\nlet b = ;", 2],
    ["if (1) {\n  f(", 2],
    ["type A = 1;\nconst a: A = 1;\nreturn a +* 1", 3],
    ["return 1\n}", 2],
  ])("reports the line of a syntax error: %j", async (code, line) => {
    expect(await read(code)).toMatchObject({ name: "SandboxError", code: "code_failed", line });
  });
});

describe("sandbox limits", () => {
  it.each<[string, string]>([
    ["while (true)", "while (true) {}"],
    ["for of", "for (const _ of (function* () { for (;;) yield })());"],
    ["promise flood", "const f = () => Promise.resolve().then(f); f(); f(); await new Promise(() => {})"],
    ["await flood", "while (true) await null"],
    ["a loop that catches", "const g = async () => { for (;;); }; for (;;) try { await g() } catch {}"],
    ["a loop in finally", "try { for (;;); } finally { for (;;); }"],
    ["regular expression", "return /^(a+)+$/.test('a'.repeat(50) + 'b')"],
    ["built-in function", "return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)"],
    ["toJSON", "return { toJSON() { for (;;); } }"],
    ["getter of what is returned", "return { get a() { for (;;); } }"],
    ["getter of what is thrown", "throw { get message() { for (;;); } }"],
    ["proxy that has no end", "return new Proxy({}, { ownKeys() { for (;;); } })"],
    ["thenable", "return { then() { for (;;); } }"],
    ["toString of what is logged", "console.log({ toJSON() { for (;;); } })"],
  ])("stop code at the time limit: %s", async (_, code) => {
    const error = await failure(code, { timeoutMs: 150 });
    const isThrownGetter = code.startsWith("throw"); // read after the code ended, with a separate time limit
    expect([error.code, error.limit]).toEqual(
      isThrownGetter ? ["code_failed", undefined] : ["code_limit", "timeoutMs"],
    );
    expect(await value("return 1")).toBe(1);
  });

  it.each<[string, string]>([
    ["objects", "const all = []; for (;;) all.push({})"],
    ["a chain", "let o = {}; for (;;) o = { o }"],
    ["closures", "const all = []; for (;;) all.push(() => all)"],
    ["text", "let all = 'x'; for (;;) all += all"],
    ["repeat(2 ** 30)", "return 'x'.repeat(2 ** 30)"],
    ["repeat(2 ** 29)", "return 'x'.repeat(2 ** 29)"],
    ["padEnd", "return ''.padEnd(2 ** 30 - 2, 'ab')"],
    ["buffers", "const all = []; for (;;) all.push(new ArrayBuffer(2 ** 20))"],
    ["a large buffer", "return new Uint8Array(2 ** 31 - 1).length"],
    ["sorting", "return new Array(5e6).fill(1).sort().length"],
    ["pending promises", "for (;;) Promise.resolve().then(() => {})"],
    ["a generator", "return [...(function* () { for (;;) yield {} })()]"],
    ["text in the result", "return Array(100).fill('x'.repeat(1e6))"],
    ["the error itself", "throw new Error('x'.repeat(2 ** 29))"],
  ])("stop code at the memory limit: %s", async (_, code) => {
    const error = await failure(code);
    expect([error.code, error.limit], error.message).toEqual(["code_limit", "memoryBytes"]);
    expect(await value("return 1")).toBe(1);
  });

  it("count input and source towards the memory limit", async () => {
    expect((await failure("return 1", { globals: { input: "x".repeat(20 * MEBI) } })).limit).toBe("memoryBytes");
    expect((await failure("return input", { globals: { input: Array(1_000_000).fill({}) } })).limit).toBe(
      "memoryBytes",
    );
    expect((await failure(`return '${"x".repeat(20 * MEBI)}'`)).limit).toBe("memoryBytes");
  });

  it("let code catch an allocation failure and continue", async () => {
    expect(await value("try { 'x'.repeat(2 ** 29) } catch { return 'caught' }")).toBe("caught");
  });

  it.each<[string, string]>([
    ["functions", "const f = () => f() + 1; return f()"],
    ["async functions", "const f = async () => { await f() }; await f()"],
    ["constructors", "class A { constructor() { new A() } } new A()"],
    ["getters", "const o = { get a() { return o.a } }; o.a"],
    ["toString", "const o = { toString: () => '' + o }; return '' + o"],
    ["sorting", "const f = () => [2, 1].sort(f); f()"],
    ["generators", "const g = function* () { yield* g() }; for (const _ of g());"],
    ["JSON.parse", "return JSON.parse('['.repeat(1e6))"],
    ["toJSON", "const f = () => JSON.stringify({ toJSON: f }); f()"],
    ["eval", "return eval('('.repeat(1e6))"],
    ["the code itself", `return ${"(".repeat(1e6)}`],
    ["proxies", "let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x"],
  ])("stop code at the stack limit: %s", async (_, code) => {
    const error = await failure(code, { memoryBytes: 64 * MEBI });
    expect([error.code, error.limit], error.message).toEqual(["code_limit", "stackBytes"]);
    expect(await value("return 1")).toBe(1);
  });

  it.each<[string, string, string | null]>([
    ["a result that fits", "return 'x'.repeat(98)", null],
    ["a result that is too long", "return 'x'.repeat(99)", "outputCharacters"],
    ["lines that fit", "for (let i = 0; i < 48; i++) console.log('x')", null],
    ["too many lines", "for (let i = 0; i < 51; i++) console.log('x')", "outputCharacters"],
    ["empty lines", "for (let i = 0; i < 101; i++) console.log()", "outputCharacters"],
    ["a line that is too long", "console.log('x'.repeat(100))", "outputCharacters"],
    ["a result and lines together", "console.log('x'.repeat(49)); return 'x'.repeat(49)", "outputCharacters"],
    ["lines without end", "for (;;) console.log('x')", "outputCharacters"],
  ])("apply to output: %s", async (_, code, limit) => {
    if (limit === null) expect(await run(code, { outputCharacters: 100 })).toBeDefined();
    else expect((await failure(code, { outputCharacters: 100 })).limit).toBe(limit);
  });

  it("stop the conversion of a deep result at the stack limit", async () => {
    const code = "let a = []; for (let i = 0; i < 1e4; i++) a = [a]; return a";
    expect((await failure(code, { stackBytes: 2 ** 16 })).limit).toBe("stackBytes");
  });

  it("are reported with the limit, its value and the line", async () => {
    const error = await failure("\nconst f = () => f() + 1;\nf()");
    expect(error.line).toBe(2);
    expect(error.message).toBe("The code exceeded the limit of 1048576 bytes of stack (line 2).");
  });
});

describe("sandboxed code is isolated", () => {
  it("and sees only globals of the language", async () => {
    const hosts = [
      "process",
      "require",
      "module",
      "fetch",
      "setInterval",
      "setImmediate",
      "queueMicrotask",
      "WebAssembly",
      "Deno",
      "Bun",
      "Buffer",
      "XMLHttpRequest",
      "Worker",
      "std",
      "os",
      "navigator",
    ];
    expect(
      await value("return input.filter((name) => name in globalThis || eval('typeof ' + name) !== 'undefined')", {
        globals: { input: hosts },
      }),
    ).toEqual([]);
  });

  it.each([
    "return [].constructor.constructor('return typeof process')()",
    "return (function () {}).constructor('return typeof process')()",
    "return (async () => {}).constructor('return typeof process')()",
    "return console.log.constructor('return typeof process')()",
    "return input.constructor.constructor('return typeof process')()",
    "return (0, eval)('typeof process')",
    "try { null.x } catch (error) { return error.constructor.constructor('return typeof process')() }",
  ])("and cannot escape by constructors: %s", async (code) => {
    expect(await value(code, { globals: { input: {} } })).toBe("undefined");
  });

  it("and changes nothing outside its call", async () => {
    const given = { deep: { list: [1] } };
    await run(
      `globalThis.left = 1; input.deep.list.push(2); input.__proto__.polluted = 1; Object.prototype.polluted = 1;
       Array.prototype.push = JSON.parse = JSON.stringify = Promise.prototype.then = null; console.log = null;
       Object.defineProperty(globalThis, "input", { get() { throw 1 } }); Object.freeze(Object.prototype);`,
      { globals: { input: given } },
    );
    expect(given).toEqual({ deep: { list: [1] } });
    expect("polluted" in {}).toBe(false);
    for (let call = 0; call < 4; call++) {
      const code =
        "console.log('x'); return [typeof left, ({}).polluted === undefined, [].push(1), JSON.stringify(input), await 1]";
      expect(await run(code, { globals: { input: given } })).toEqual({
        value: ["undefined", true, 1, '{"deep":{"list":[1]}}', 1],
        logs: ["x"],
      });
    }
  });

  it.each<[string, string, Given]>([
    ["fills its memory", "const all = []; for (;;) all.push({ all }, new Uint8Array(1000).fill(7))", {}],
    ["overflows its stack", "const f = () => f() + 1; return f()", {}],
    [
      "is stopped while promises are pending",
      "const f = () => Promise.resolve().then(f); f(); await f()",
      { timeoutMs: 50 },
    ],
    ["has a syntax error in a declaration", "let a = ;", {}],
    ["is TypeScript", "type A = number;\nglobalThis.left = 1; const a: A = 1; return a", {}],
    ["overwrites built-in functions", "Math.random = Date.now = globalThis.JSON = null; Object.prototype.left = 1", {}],
    ["changes globals in toJSON", "return { toJSON() { globalThis.left = 1; Object.prototype.left = 1 } }", {}],
  ])("from an earlier call on the same thread that %s", async (_, code, given) => {
    const one = createQuickjsSandbox({ threads: 1 });
    const look = {
      code: `const zeros = new BigUint64Array(250_000).every((bytes) => bytes === 0n);
             return [typeof left, typeof Math.random(), typeof Date.now(), zeros, Reflect.ownKeys(globalThis).map(String)]`,
      globals: { input: [1] },
      limits: LIMITS,
    };
    const fresh = await one.run(look);
    for (let call = 0; call < 3; call++) {
      await one.run({ code, globals: {}, limits: { ...LIMITS, ...given } }).catch(() => {});
      expect(await one.run(look)).toEqual(fresh);
    }
    expect(fresh.value).toMatchObject({ 0: "undefined", 1: "number", 2: "number", 3: true });
    await one.close();
  });

  it("and returns special property names as data", async () => {
    const result = await value("return { constructor: 1, toString: 2, hasOwnProperty: 3 }");
    expect(result).toEqual({ constructor: 1, toString: 2, hasOwnProperty: 3 });
  });

  it("and gets its globals as data, by any name", async () => {
    const globals = JSON.parse('{"__proto__": {"a": 1}, "console": 5, "not a name": 6}');
    expect(await value("return [globalThis.a, console, globalThis['not a name']]", { globals })).toEqual([null, 5, 6]);
  });
});

describe("the sandbox", () => {
  it("keeps the event loop free while code runs", async () => {
    await value("return 1");
    const stop = new AbortController();
    const endless = expect(run("for (;;);", { signal: stop.signal })).rejects.toThrow("enough");
    expect(await failure("const all = []; for (;;) all.push({})")).toMatchObject({ limit: "memoryBytes" });
    await turnEventLoop();
    stop.abort(new Error("enough"));
    await endless;
  });

  it("runs 200 concurrent calls with their own input", async () => {
    const calls = Array.from({ length: 200 }, (_, index) =>
      value("await 1; return input * 2", { globals: { input: index } }),
    );
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 200 }, (_, index) => index * 2));
  });

  it("runs calls in parallel", async () => {
    const stop = new AbortController();
    const endless = expect(run("for (;;);", { signal: stop.signal })).rejects.toThrow("enough");
    expect(await value("return 1")).toBe(1);
    stop.abort(new Error("enough"));
    await endless;
  });

  it("aborts a call at once with the reason of the signal", async () => {
    await value("return 1");
    for (const code of ["for (;;);", "for (;;) await 1", "return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)"]) {
      const stop = new AbortController();
      const call = run(code, { signal: stop.signal });
      await value("return 1"); // on another thread: the call is running by now
      stop.abort(new Error("enough"));
      await expect(call).rejects.toThrow("enough");
    }
    expect(await Promise.all([value("return 1"), value("return 2"), value("return 3")])).toEqual([1, 2, 3]);
  });

  it("frees the threads of aborted calls", async () => {
    const one = createQuickjsSandbox({ threads: 1 });
    const stop = new AbortController();
    const endless = { code: "for (;;);", globals: {}, limits: { ...LIMITS, timeoutMs: 600_000 } };
    const calls = [1, 2, 3].map(() => one.run({ ...endless, signal: stop.signal }));
    await turnEventLoop();
    stop.abort(new Error("enough"));
    for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ reason: { message: "enough" } });
    expect(await one.run({ ...endless, code: "return 1" })).toEqual({ value: 1, logs: [] });
    await one.close();
  });

  it("takes turns between tenants", async () => {
    const one = createQuickjsSandbox({ threads: 1 });
    const ended: string[] = [];
    const calls = ["a1", "a2", "a3", "a4", "b1", "b2", "1"].map(async (name) => {
      const tenant = name.length === 1 ? {} : { tenant: name.slice(0, 1) };
      await one.run({ code: "return 1", globals: {}, limits: LIMITS, ...tenant });
      ended.push(name);
    });
    await Promise.all(calls);
    expect(ended).toEqual(["a1", "b1", "1", "a2", "b2", "a3", "a4"]);
    await one.close();
  });

  it("prints nothing when memory runs out in pending promises", async () => {
    const one = createQuickjsSandbox({ threads: 1 });
    const printed = vi.spyOn(process.stderr, "write");
    const flood = "const f = () => Promise.resolve().then(f); f(); f(); await new Promise(() => {})";
    const limits = { ...LIMITS, memoryBytes: 4 * MEBI };
    for (let call = 0; call < 2; call++) {
      await expect(one.run({ code: flood, globals: {}, limits })).rejects.toThrow(SandboxError);
      expect(await one.run({ code: "return 1", globals: {}, limits })).toEqual({ value: 1, logs: [] });
    }
    await one.close();
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  it("returns large results of concurrent calls", async () => {
    const code = "return Array.from({ length: 50_000 }, (_, index) => [input, index])";
    const calls = [1, 2, 3, 4].map((input) =>
      value(code, { globals: { input }, outputCharacters: 4 * MEBI, memoryBytes: 64 * MEBI }),
    );
    for (const [call, result] of (await Promise.all(calls)).entries()) {
      expect(result).toHaveLength(50_000);
      expect(result).toMatchObject({ 0: [call + 1, 0], 49999: [call + 1, 49_999] });
    }
  });

  it("does not start a call that was already aborted", async () => {
    await expect(run("return 1", { signal: AbortSignal.abort(new Error("early")) })).rejects.toThrow("early");
  });

  it("rejects pending and later calls when it is closed", async () => {
    const other = createQuickjsSandbox({ threads: 1 });
    const endless = { code: "for (;;);", globals: {}, limits: LIMITS };
    const calls = Promise.allSettled([other.run(endless), other.run(endless)]);
    await other.close();
    const canceled = expect.objectContaining({ reason: expect.objectContaining({ code: "canceled" }) });
    expect(await calls).toEqual([canceled, canceled]);
    await expect(other.run(endless)).rejects.toMatchObject({ code: "canceled" });
  });
});
