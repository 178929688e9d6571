/** The globals of the platform in sandboxed code give the same results as those of Node.js, within the limits of the call. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createQuickjsSandbox } from "../../adapters/sandbox/quickjs.ts";
import { SandboxError, type SandboxLimits } from "../../src/ports/sandbox.ts";
import { anyCharacter } from "../support/any-character.ts";

const MEBI = 1024 * 1024;
const LIMITS: SandboxLimits = {
  memoryBytes: 64 * MEBI,
  timeoutMs: 600_000,
  stackBytes: MEBI,
  outputCharacters: 10 * MEBI,
};
const sandbox = createQuickjsSandbox({ threads: 2 });
afterAll(() => sandbox.close());

async function value(code: string, input: unknown = null, limits: Partial<SandboxLimits> = {}): Promise<unknown> {
  return (await sandbox.run({ code, globals: { input }, limits: { ...LIMITS, ...limits } })).value;
}

async function failure(code: string, limits: Partial<SandboxLimits> = {}): Promise<SandboxError> {
  const error: unknown = await value(code, null, limits).then(
    (result) => new Error(`It gave ${JSON.stringify(result)}.`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SandboxError)) throw error;
  return error;
}

/** Runs the same function body on each case, here and in the sandbox: the same results, or errors of the same name. */
async function expectSame(body: string, cases: readonly unknown[]): Promise<void> {
  const each = `
    const attempt = (given) => {
      try { return { value: (function (given) { ${body} })(given) ?? null }; }
      catch (error) { return { error: error.name }; }
    };
    return JSON.parse(JSON.stringify(input.map(attempt)));`;
  const here: unknown = new Function("input", each)(structuredClone(cases));
  expect(await value(each, cases)).toEqual(here);
}

/** Many cases at once, because a call costs more than a case. */
async function expectSameFor<Case>(body: string, arbitrary: fc.Arbitrary<Case>): Promise<void> {
  const property = fc.asyncProperty(fc.array(arbitrary, { minLength: 1, maxLength: 50 }), (cases) =>
    expectSame(body, cases),
  );
  await fc.assert(property, { numRuns: 20 });
}

const PARTS = `[url.href, url.origin, url.protocol, url.username, url.password, url.host, url.hostname, url.port, url.pathname,
  url.search, url.hash, String(url), JSON.stringify(url), [...url.searchParams]]`;

/** Pieces that mean something in URLs. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      "http:",
      "https:",
      "file:",
      "data:",
      "mailto:",
      "ws:",
      "foo:",
      "//",
      "/",
      "\\",
      "?",
      "#",
      "@",
      ":",
      "..",
      ".",
      "%2e",
    ],
    ...[
      "[::1]",
      "[::",
      "127.0.0.1",
      "0x7f.1",
      "1.2.3.4.5",
      "256.1.1.1",
      "xn--",
      "xn--nxasmq6b",
      "münchen.de",
      "日本語。jp",
    ],
    ...[
      "a b",
      "\t",
      "\n",
      "%",
      "%zz",
      "%C3%A9",
      "é",
      "\ud800",
      "😀",
      ":80",
      ":443",
      ":99999",
      "a=b&c",
      "+",
      "C|",
      "C:",
      "user:pw",
    ],
  ),
  fc.string({ maxLength: 5 }),
  fc.string({ unit: anyCharacter, maxLength: 3 }),
);
const anyUrl = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

describe("URL in sandboxed code", () => {
  it("parses like the platform", async () => {
    await expectSameFor(`const url = new URL(given); return ${PARTS};`, fc.oneof(anyUrl, fc.webUrl()));
  });

  it("resolves like the platform", async () => {
    const base = fc.constantFrom("http://a.example/b/c?d#e", "file:///C:/x/", "mailto:a@b", "foo://x/y", "nonsense");
    await expectSameFor(`const url = new URL(...given); return ${PARTS};`, fc.tuple(anyUrl, fc.oneof(base, anyUrl)));
  });

  it("is changed by its setters like the platform", async () => {
    const part = fc.constantFrom(
      ...["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"],
    );
    const start = fc.constantFrom(
      "https://u:p@h.example:8080/p?q=1#f",
      "file:///x",
      "mailto:a@b",
      "foo:bar",
      "foo://h/",
    );
    await expectSameFor(
      `const url = new URL(given[0]); url.searchParams; for (const [part, value] of given[1]) url[part] = value; return ${PARTS};`,
      fc.tuple(start, fc.array(fc.tuple(part, fc.oneof(piece, anyUrl)), { maxLength: 4 })),
    );
  });

  it("converts what is no text like the platform", async () => {
    await expectSame("return new URL(...given).href", [
      [],
      [null],
      [1],
      [{}],
      ["/a", null],
      ["/a", {}],
      [["http://x"]],
    ]);
    await expectSame("return URL.canParse(...given)", [["http://x"], ["x"], ["x", "http://y"], []]);
    expect(await value("return [URL.parse('x'), URL.parse('x', 'http://y').href]")).toEqual([null, "http://y/x"]);
    expect(await value("return [String(new URL('http://x')), new URL(new URL('http://x/y')).pathname]")).toEqual([
      "http://x/",
      "/y",
    ]);
  });

  it("has searchParams that change with it, and change it", async () => {
    await expectSameFor(
      `const url = new URL("https://h/p?a=1&b=2");
       const { searchParams } = url;
       for (const [method, ...args] of given) searchParams[method](...args);
       const changed = url.href;
       url.search = "?z=%20";
       return [changed, [...searchParams], url.searchParams === searchParams];`,
      fc.array(
        fc.oneof(
          fc.tuple(fc.constantFrom("append", "set"), piece, piece),
          fc.tuple(fc.constantFrom("delete", "append"), fc.constantFrom("a", "b", "c")),
          fc.tuple(fc.constant("delete"), fc.constantFrom("a", "b"), fc.constantFrom("1", "3")),
          fc.constant(["sort"]),
        ),
        { maxLength: 5 },
      ),
    );
  });

  it("of more than 2 Mi characters is invalid, and so is one whose name would take long to convert", async () => {
    expect(await value("return [2, 3].map((n) => URL.canParse('http://x/' + 'a'.repeat(n * 1e6)))")).toEqual([
      true,
      false,
    ]);
    const names = "return ['http://', 'HTTPS:\\\\\\\\', ' \\nht\\ttp:'].map((start) => URL.canParse(start + input))";
    const name = Array.from({ length: 60_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7) % 20_000)),
    ).join("");
    expect(await value(names, name)).toEqual([false, false, false]);
    expect(await value("return URL.canParse('//' + input, 'http://x')", name)).toBe(false);
    expect(await value("return URL.canParse('data:,' + input)", name)).toBe(true);
    const set = "const url = new URL('http://x'); url.hostname = input; return url.href";
    await expect(value(set, name)).rejects.toThrow(/RangeError: The URL would be too long/);
  });
});

describe("URLSearchParams in sandboxed code", () => {
  const LIST = "[[...params], String(params), params.size, [...params.keys()], [...params.values()]]";

  it("parses and writes like the platform", async () => {
    const query = fc.array(fc.oneof(piece, fc.constantFrom("&", "=", "?", "+")), { maxLength: 10 });
    await expectSameFor(
      `const params = new URLSearchParams(given); return ${LIST};`,
      query.map((all) => all.join("")),
    );
  });

  it("takes lists and objects like the platform", async () => {
    await expectSameFor(
      `const params = new URLSearchParams(given); return ${LIST};`,
      fc.oneof(fc.array(fc.tuple(piece, piece)), fc.dictionary(piece, piece), fc.jsonValue({ maxDepth: 3 })),
    );
    await expectSame(`const params = new URLSearchParams(eval(given)); return ${LIST};`, [
      ...["undefined", "null", "new Map([['a', 1]])", "new URLSearchParams('a=1')", "() => 1", "new Set(['ab', 'cd'])"],
      ...["({ [Symbol('x')]: 1 })", "({ '\\ud800': 1, '\\udfff': 2 })", "[[1, 2, 3]]", "({ [Symbol.iterator]: 1 })"],
    ]);
  });

  it("has methods that work like those of the platform", async () => {
    await expectSame("const params = new URLSearchParams('a=1&b=2&a=3'); return eval(given)", [
      ...["params.get('a')", "params.get('c')", "params.getAll('a')", "params.has('a', '3')", "params.has('a', 4)"],
      ...[
        "params.delete('a', '1'), String(params)",
        "params.set('a', 9), String(params)",
        "params.get()",
        "params.set('a')",
      ],
      "params.append('d', undefined), String(params)",
      "const all = []; params.forEach(function (value, name, own) { all.push([this.x, value, name, own === params]) }, { x: 1 }); all",
      "params.forEach(1)",
      "const seen = []; for (const [name] of params) { seen.push(name); params.delete('a') } seen",
      "Object.prototype.toString.call(params)",
    ]);
  });
});

describe("TextEncoder and TextDecoder in sandboxed code", () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string(),
    fc.constantFrom("\ud800", "a\udc00b", "\0", "\ufeffx"),
  );

  it("encode like the platform", async () => {
    await expectSameFor("return [...new TextEncoder().encode(given)]", text);
    await expectSameFor(
      `const target = new Uint8Array(given[1]);
       return [new TextEncoder().encodeInto(given[0], target), [...target]];`,
      fc.tuple(text, fc.nat(20)),
    );
    await expectSame("return [...new TextEncoder().encode(...given)]", [[], [null], [1]]);
  });

  it("decode like the platform, in every encoding, as a whole and in pieces", async () => {
    const label = fc.constantFrom(
      ...["utf-8", "UTF8", " utf-16le", "utf-16be", "latin1", "windows-1252", "iso-8859-2", "shift_jis", "euc-jp"],
      ...["gb18030", "big5", "koi8-r", "nonsense"],
    );
    const bytes = fc.array(
      fc.uint8Array({ maxLength: 6 }).map((all) => [...all]),
      { maxLength: 4 },
    );
    const options = fc.record({ fatal: fc.boolean(), ignoreBOM: fc.boolean() });
    await expectSameFor(
      `const decoder = new TextDecoder(given[0], given[2]);
       const texts = given[1].map((bytes) => decoder.decode(new Uint8Array(bytes), { stream: true }));
       return [...texts, decoder.decode(), decoder.encoding, decoder.fatal, decoder.ignoreBOM];`,
      fc.tuple(label, bytes, options),
    );
  });

  it("handle texts of several chunks, without dividing a character", async () => {
    const long = `${"x".repeat(65_535)}😀${"é".repeat(70_000)}`;
    expect(await value("return new TextDecoder().decode(new TextEncoder().encode(input))", long)).toBe(long);
    expect(await value("return new TextEncoder().encode(input).length", long)).toBe(Buffer.byteLength(long));
    const part = "return new TextDecoder().decode(new Uint8Array([1, 97, 98, 2]).subarray(1, 3))";
    expect(await value(part)).toBe("ab");
    expect(await value("return new TextDecoder().decode(new DataView(new Uint8Array([97]).buffer))")).toBe("a");
    await expectSame("return new TextDecoder().decode(given)", ["text", 1, null, []]);
  });
});

describe("atob and btoa in sandboxed code", () => {
  it("work like those of the platform", async () => {
    const base64 = fc.array(fc.constantFrom("A", "b", "9", "+", "/", "=", " ", "\n", "\f", "-", "é", "\0"), {
      maxLength: 9,
    });
    await expectSameFor(
      "return atob(given)",
      fc.oneof(
        base64.map((all) => all.join("")),
        fc.base64String(),
      ),
    );
    await expectSameFor("return btoa(given)", fc.oneof(fc.string({ unit: anyCharacter }), fc.string()));
    await expectSame("return [atob(...given), btoa(...given)]", [[], [null], [12]]);
  });

  it("work on texts of several chunks", async () => {
    const long = Array.from({ length: 300_000 }, (_, index) => String.fromCharCode((index * 31) % 256)).join("");
    expect(await value("return btoa(input)", long)).toBe(btoa(long));
    expect(await value("return atob(input)", btoa(long))).toBe(long);
    const broken = `${"A".repeat(65_534)}==${"A".repeat(8)}`;
    await expect(value("return atob(input)", broken)).rejects.toThrow(/^InvalidCharacterError/);
  });
});

describe("crypto in sandboxed code", () => {
  it("digests like the platform", async () => {
    const digest = `
      const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
      return hex(await crypto.subtle.digest(input.algorithm, new TextEncoder().encode(input.text)));`;
    for (const text of ["", "abc", "é".repeat(200_000)]) {
      for (const [algorithm, name] of [
        ["SHA-256", "sha256"],
        ["sha-512", "sha512"],
      ] as const) {
        expect(await value(digest, { algorithm, text })).toBe(createHash(name).update(text).digest("hex"));
        expect(await value(digest, { algorithm: { name: algorithm }, text })).toBe(
          createHash(name).update(text).digest("hex"),
        );
      }
    }
    await expect(value(digest, { algorithm: "MD5", text: "" })).rejects.toThrow(/^NotSupportedError/);
    await expect(value("await crypto.subtle.digest('SHA-256', 'text')")).rejects.toThrow(/^TypeError/);
  });

  it("creates random UUIDs and numbers", async () => {
    const uuids = "return [crypto.randomUUID(), crypto.randomUUID()]";
    const all = (await Promise.all([value(uuids), value(uuids)])).flat();
    expect(new Set(all).size).toBe(4);
    expect(all[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const fill = `
      const all = new Uint8Array(30);
      const view = crypto.getRandomValues(all.subarray(10, 20));
      return [[...all.slice(0, 10), ...all.slice(20)].every((byte) => byte === 0), view.some((byte) => byte > 0), view.length];`;
    expect(await value(fill)).toEqual([true, true, 10]);
    await expectSame("return crypto.getRandomValues(eval(given)).length", [
      ...["new Uint8Array(65536)", "new Uint8Array(65537)", "new Uint16Array(32769)", "new BigInt64Array(4)"],
      ...["new Float64Array(1)", "new DataView(new ArrayBuffer(1))", "[1]", "null"],
    ]);
  });
});

describe("structuredClone in sandboxed code", () => {
  /** What a clone looks like: types, values, and which objects are the same. */
  const LOOK = `
    const ids = new Map();
    const look = (value) => {
      if (typeof value === "bigint") return "bigint " + value;
      if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value) + typeof value;
      if (ids.has(value)) return "#" + ids.get(value);
      ids.set(value, ids.size);
      const type = Object.prototype.toString.call(value);
      const own = value instanceof Error ? [] : Object.keys(value).map((key) => [key, look(value[key])]);
      if (value instanceof Map) return [type, own, [...value].map(([a, b]) => [look(a), look(b)])];
      if (value instanceof Set) return [type, own, [...value].map(look)];
      if (value instanceof Date) return [type, own, value.getTime()];
      if (value instanceof RegExp) return [type, own, String(value), value.lastIndex];
      if (value instanceof Error) return [type, value.name, value.message, look(value.cause), Object.getPrototypeOf(value).name];
      if (value instanceof ArrayBuffer) return [type, [...new Uint8Array(value)], value.resizable ?? false];
      if (ArrayBuffer.isView(value)) return [type, value.byteOffset, value.byteLength, look(value.buffer)];
      if (value instanceof Number || value instanceof String || value instanceof Boolean) return [type, own, value.valueOf()];
      return [type, own, value.length, Object.getPrototypeOf(value) === Object.prototype];
    };`;

  it("clones what the platform clones, and refuses what it refuses", async () => {
    await expectSame(`${LOOK} return look(structuredClone(eval(given)));`, [
      ...["1", "-0", "NaN", "'text'", "null", "undefined", "1n", "Symbol('x')", "() => 1", "[1, , 3]", "[1, [2]]"],
      ...["({ a: { b: undefined } })", "const a = { b: {} }; a.a = a; a.c = a.b; a", "new Map([[{}, new Set([1])]])"],
      ...["const all = [1]; all.x = 2; all", "new Date(5)", "new Date(NaN)", "const re = /x/gi; re.lastIndex = 1; re"],
      ...["new TypeError('no', { cause: { a: 1 } })", "Object.assign(new Error('x'), { name: 'RangeError', more: 1 })"],
      ...["Object.assign(new Error('x'), { name: 'Own' })", "new (class Own extends RangeError {})('x')"],
      ...[
        "Object(1)",
        "Object('ab')",
        "Object(true)",
        "Object(2n)",
        "Object(Symbol())",
        "new (class A { b = 1; #c = 2 })()",
      ],
      ...["new Uint8Array([1, 2, 3]).subarray(1)", "new Float64Array([1])", "new DataView(new ArrayBuffer(8), 2, 4)"],
      ...["const b = new ArrayBuffer(4); [new Uint8Array(b), new Uint16Array(b, 2)]", "Object.create({ a: 1 })"],
      ...["Promise.resolve()", "new WeakMap()", "new WeakSet()", "new WeakRef({})", "Object.create(null)"],
      ...["Object.create(Map.prototype)", "({ get a() { return 1 } })", "({ get a() { throw new RangeError() } })"],
      ...[
        "Object.defineProperty({}, 'a', { value: 1 })",
        "({ [Symbol('x')]: 1 })",
        "new (class M extends Map {})([[1, 2]])",
      ],
    ]);
    await expectSame(`${LOOK} const buffer = new ArrayBuffer(4); return eval(given);`, [
      "[look(structuredClone(new Uint8Array(buffer), { transfer: [buffer] })), buffer.byteLength]",
      "structuredClone(buffer, { transfer: [buffer] }), structuredClone(buffer)",
      ...["structuredClone(1, { transfer: [buffer, buffer] })", "structuredClone()"],
    ]);
    const json = fc.jsonValue({ maxDepth: 4 });
    await expectSameFor(`${LOOK} return look(structuredClone(given));`, json);
  });
});

describe("timers in sandboxed code", () => {
  const waits = "const wait = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));";

  it("run in the order of their delays, each before the promises of the next", async () => {
    const code = `
      const seen = [];
      const add = (name) => () => { seen.push(name); Promise.resolve().then(() => seen.push(name + "'")); };
      setTimeout(add("late"), 30);
      setTimeout(add("first"), 5);
      setTimeout(add("second"), 5);
      const canceled = setTimeout(add("canceled"), 5);
      clearTimeout(canceled);
      clearTimeout(canceled);
      clearTimeout(undefined);
      clearTimeout("x");
      ${waits}
      seen.push(await wait(60, "end"));
      return seen;`;
    expect(await value(code)).toEqual(["first", "first'", "second", "second'", "late", "late'", "end"]);
  });

  it("wait at least as long as they should", async () => {
    const elapsed = await value(`${waits} const start = Date.now(); await wait(20); return Date.now() - start`);
    expect(elapsed).toBeGreaterThanOrEqual(19);
  });

  it.each([
    ["do not keep code that has returned", "setTimeout(() => { for (;;); }, 1); return 1", 1],
    ["take the shortest delay for one that is not a number", `${waits} return wait(NaN, 2)`, 2],
    ["take the shortest delay for one that is too long", `${waits} return wait(2 ** 31, 3)`, 3],
    ["can be set by a timer", `${waits} return wait(1).then(() => wait(1, 4))`, 4],
  ])("%s", async (_, code, expected) => {
    expect(await value(code)).toBe(expected);
  });

  it.each([
    [
      "throw",
      "setTimeout(() => { throw new RangeError('far') }, 1); await new Promise(() => {})",
      /^RangeError: far \(line 1/,
    ],
    ["have text as code", "setTimeout('1', 1)", /^TypeError: The callback of setTimeout must be a function/],
    [
      "are all canceled",
      "clearTimeout(setTimeout(() => {}, 1)); await new Promise(() => {})",
      /promise that never settles/,
    ],
  ])("fail the code if they %s", async (_, code, message) => {
    expect((await failure(code)).message).toMatch(message);
  });

  it("cannot wait beyond the time limit, and the code fails at once", async () => {
    const error = await failure(`${waits} await wait(3_000_000)`);
    expect([error.code, error.limit]).toEqual(["code_limit", "timeoutMs"]);
  });

  it("cannot keep code alive beyond the time limit by setting further ones", async () => {
    const again = "const again = () => setTimeout(again, 1); again(); await new Promise(() => {})";
    expect((await failure(again, { timeoutMs: 200 })).limit).toBe("timeoutMs");
  });

  it("are stopped while the code waits", async () => {
    const controller = new AbortController();
    const call = { code: `${waits} await wait(500_000)`, globals: {}, limits: LIMITS, signal: controller.signal };
    const running = sandbox.run(call);
    expect(await value("return 1")).toBe(1);
    controller.abort(new Error("stopped"));
    await expect(running).rejects.toThrow("stopped");
    expect(await Promise.all([value("return 1"), value("return 2")])).toEqual([1, 2]);
  });

  it("count towards the memory limit", async () => {
    const error = await failure("for (;;) setTimeout(() => {}, 1000)", { memoryBytes: 16 * MEBI });
    expect([error.code, error.limit]).toEqual(["code_limit", "memoryBytes"]);
  });

  it("run a hundred thousand at once", async () => {
    const many =
      "let n = 0; for (let i = 0; i < 1e5; i++) setTimeout(() => n++, i % 7); return await new Promise((done) => setTimeout(() => done(n), 8))";
    expect(await value(many)).toBe(100_000);
  });
});

describe("the globals of the platform in sandboxed code", () => {
  it.each([
    ["atob", "const all = []; const text = btoa('x'.repeat(1e5)); for (;;) all.push(atob(text))"],
    ["TextEncoder", "const all = []; const text = 'x'.repeat(6e4); for (;;) all.push(new TextEncoder().encode(text))"],
    [
      "TextDecoder",
      "const all = []; const bytes = new Uint8Array(6e4); for (;;) all.push(new TextDecoder().decode(bytes))",
    ],
    ["random numbers", "const all = []; for (;;) all.push(crypto.getRandomValues(new Uint8Array(65536)))"],
    ["URL", "const all = []; for (;;) all.push(new URL('http://x/' + 'y'.repeat(1e5)))"],
    ["URLSearchParams", "const params = new URLSearchParams(); for (;;) params.append('x'.repeat(1e5), 'y')"],
    ["structuredClone", "let all = ['x'.repeat(100)]; for (;;) all = [structuredClone(all), all]"],
  ])("count towards the memory limit: %s", async (_, code) => {
    const error = await failure(code, { memoryBytes: 16 * MEBI });
    expect([error.code, error.limit], error.message).toEqual(["code_limit", "memoryBytes"]);
    expect(await value("return 1")).toBe(1);
  });

  it.each([
    ["atob", "const text = 'A'.repeat(2 ** 22); for (;;) atob(text)"],
    ["digests", "const bytes = new Uint8Array(2 ** 24); for (;;) await crypto.subtle.digest('SHA-512', bytes)"],
    ["URL", "const long = 'http://' + 'é'.repeat(1e6); for (;;) URL.canParse(long)"],
    ["query", "const params = new URL('http://x').searchParams; for (;;) params.append('a', 'b')"],
    ["texts", "const bytes = new Uint8Array(2 ** 24); for (;;) new TextDecoder('gb18030').decode(bytes)"],
  ])("are stopped at the time limit: %s", async (_, code) => {
    const error = await failure(code, { timeoutMs: 300 });
    expect([error.code, error.limit], error.message).toEqual(["code_limit", "timeoutMs"]);
  });

  it("can be replaced, hidden and detected", async () => {
    expect(
      await value("URL = 1; globalThis.atob = 2; return [URL, atob, typeof btoa, Object.keys(globalThis)]"),
    ).toEqual([...[1, 2, "function"], ["console", "input"]]);
    expect(await value("const URL = 5; function setTimeout() { return 6 } return [URL, setTimeout()]")).toEqual([5, 6]);
    expect(await value("delete globalThis.URL; return typeof URL")).toBe("undefined");
    expect(await value("return typeof URL")).toBe("function");
    expect(await value("return [typeof fetch, typeof process, typeof Buffer, typeof setInterval]")).toEqual(
      Array(4).fill("undefined"),
    );
  });

  it("work after the code has replaced what they are made of", async () => {
    const replaced = `
      JSON.parse = JSON.stringify = null;
      return [new URL("http://x/y").pathname, atob("eA==")];`;
    expect(await value(replaced)).toEqual(["/y", "x"]);
  });

  it("have at most 256 decoders open", async () => {
    const many = "for (let n = 0; n < 300; n++) new TextDecoder().decode(new Uint8Array([65]), { stream: true })";
    expect((await failure(many)).message).toMatch(/^RangeError: At most 256 decoders/);
    expect(await value("return new TextDecoder().decode(new Uint8Array([65]), { stream: true })")).toBe("A");
  });
});
