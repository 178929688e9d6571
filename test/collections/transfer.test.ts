/** Import and export of records: every value survives, hostile text fails with its line, and jobs end cleanly. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Job, JsonValue } from "../../src/index.ts";
import { createTestClock, createTestService, type TestClock, type TestService } from "../../src/testing/index.ts";
import { anyCharacter } from "../support/any-character.ts";

let clock: TestClock;
let t: TestService;
let loans: string;
beforeEach(async () => {
  clock = createTestClock();
  t = await createTestService({ clock });
  loans = (await t.stepwell.collections.create(t.app, { name: "Loans" })).id;
});
afterEach(() => t.close());

type Options = Parameters<TestService["stepwell"]["records"]["import"]>[3];

async function ended(job: Job): Promise<Job> {
  await expect.poll(async () => (await t.stepwell.jobs.get(t.app, job.id)).status).not.toBe("running");
  return t.stepwell.jobs.get(t.app, job.id);
}

const importText = async (text: string | Uint8Array, options?: Options, into = loans) =>
  ended(await t.stepwell.records.import(t.app, into, text, options));

/** The data of all records, oldest first. */
async function stored(of = loans) {
  const { items } = await t.stepwell.records.list(t.app, of, { take: 1_000 });
  return items.map(({ data }) => data).reverse();
}

async function exported(options: Parameters<TestService["stepwell"]["records"]["export"]>[2] = {}): Promise<string> {
  return new Response(await t.stepwell.records.export(t.app, loans, options)).text();
}

const bytes = (...all: number[]) => new Uint8Array(all);
const problems = ({ report }: Job) => report.problems.map(({ line, message }) => `${line}: ${message}`);

describe("importing CSV", () => {
  it("creates a record for each row", async () => {
    const job = await importText(
      'loan:number,loan:amount,loan:note\r\nA-1,90000.50,"two\r\nlines, ""quoted"""\r\nA-2,,x\r\n',
    );
    expect(job).toMatchObject({ kind: "records.import", status: "succeeded", done: 2, total: null, error: null });
    expect((await stored()).sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
      { loan: { number: "A-1", amount: 90000.5, note: 'two\r\nlines, "quoted"' } },
      { loan: { number: "A-2", note: "x" } },
    ]);
  });

  it("changes the record with the value of the key, in the order of the rows", async () => {
    await importText("a:id,a:x,a:y\n1,old,kept\n2,b,c\n", { key: "a:id" });
    const job = await importText("a:id,a:x,a:y\n1,new,\n1,newer,\n2,b,null\n3,d,e\n", { key: "a:id" });
    expect(job).toMatchObject({ status: "succeeded", done: 4, report: { failed: 0 } });
    expect(job.report.written).toEqual({ created: 1, updated: 3, unchanged: 0 });
    const records = (await stored()).sort((one, other) => Number(one["a"]?.["id"]) - Number(other["a"]?.["id"]));
    expect(records).toEqual([
      { a: { id: 1, x: "newer", y: "kept" } },
      { a: { id: 2, x: "b" } },
      { a: { id: 3, x: "d", y: "e" } },
    ]);
  });

  it("counts what was created, changed and left as it was, over all batches", async () => {
    const text = (from: number, to: number) =>
      `a:id\n${Array.from({ length: to - from }, (_, index) => from + index).join("\n")}\n`;
    const first = await importText(text(0, 450), { key: "a:id" });
    expect(first.report.written).toEqual({ created: 450, updated: 0, unchanged: 0 });
    const second = await importText(`${text(300, 700)}[1]\n`, { key: "a:id" });
    expect(second.report).toMatchObject({ failed: 1, written: { created: 250, updated: 0, unchanged: 150 } });
    expect((await importText("")).report.written).toEqual({ created: 0, updated: 0, unchanged: 0 });
  });

  it("reports bad rows by line and imports the others", async () => {
    const job = await importText('a:x,a:y\n1,2\n\n3\n"4\n5",6,7\n8,\0\n9,10\n', {});
    expect(job).toMatchObject({ status: "succeeded", done: 5, report: { failed: 3 } });
    expect(problems(job)).toEqual([
      "4: The row has 1 cell, but the header has 2.",
      "5: The row has 3 cells, but the header has 2.",
      "7: The row contains a NUL character. Remove it.",
    ]);
    expect(await stored()).toHaveLength(2);
  });

  it("keeps byte order marks within the text, such as of files that were put together", async () => {
    expect(await importText('a:x,a:y\n\ufeff1,2\n\ufeff3,4\n\ufeff"5",6\n')).toMatchObject({
      done: 3,
      report: { failed: 0 },
    });
    const values = (await stored()).map(({ a }) => a);
    expect(values).toEqual([
      { x: "\ufeff1", y: 2 },
      { x: "\ufeff3", y: 4 },
      { x: '\ufeff"5"', y: 6 },
    ]);
  });

  it("survives a quote after a byte order mark at the start of a batch", async () => {
    const job = await importText('a:x,a:y\n\ufeff"5,6\n7,8\n');
    expect(job).toMatchObject({ status: "succeeded", done: 2, report: { failed: 0 } });
  });

  it("reports rows without a value of the key, and values that no record is found by", async () => {
    const job = await importText("a:id,a:x\n,1\n[1],2\n7,3\n", { key: "a:id" });
    expect(job.report.problems.map(({ line, code }) => `${line} ${code}`)).toEqual(["2 invalid", "3 invalid"]);
    expect(await stored()).toEqual([{ a: { id: 7, x: 3 } }]);
  });

  it.each([
    ["a:x,b\n1,2\n", 'Column 2 is "b". It must have the form entity:field'],
    ["a:x,a:x\n1,2\n", 'It has the column "a:x" twice'],
    ["a:x,\n1,2\n", 'Column 2 is ""'],
    ['a:x\n1\n"2\n3\n', "The row that starts at line 3 has an unclosed quote."],
    [`a:x\n1\n"${"2".repeat(5_000_000)}\n`, "The row that starts at line 3 exceeds the limit of 4 MiB"],
    ["a:x,\0\n1,2\n", "The header contains a NUL character."],
    ['\0"\n,,\r"', "The header contains a NUL character."],
    [`${",".repeat(20_000)}\n`, "exceeds the limit of 10000 columns"],
    [`a:x\n${"x".repeat(5_000_000)}`, "The row that starts at line 2 exceeds the limit of 4 MiB"],
    ['[{"data":{"a":{"x":1}}}]', "The body is a JSON array."],
    ['\n [\n  {"data":{}}\n]', "The body is a JSON array."],
    ['{"data":{"a":{"x":1}}}\n', "The body is JSON, not CSV."],
  ])("fails for text %#", async (text, message) => {
    const job = await importText(text);
    expect(job.status).toBe("failed");
    expect(job.error?.message).toContain(message);
  });

  it("fails for a picture, whatever its columns are to be", async () => {
    const picture = bytes(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1);
    for (const options of [{ columns: ["a:x"] }, { format: "jsonl" }] as const) {
      const job = await importText(picture, options);
      expect(job.error?.message).toBe("The body is not text, so it is neither CSV nor JSON Lines.");
    }
    expect(await stored()).toEqual([]);
  });

  it("accepts brackets in the names of columns", async () => {
    const job = await importText("[id],{name}\n1,Ada\n", { columns: ["a:id", "a:name"] });
    expect(job).toMatchObject({ status: "succeeded", done: 1 });
  });

  it.each([
    ["LF", "a:x\n1\n2\n"],
    ["CRLF", "a:x\r\n1\r\n2\r\n"],
    ["CR", "a:x\r1\r2\r"],
    ["no last line ending", "a:x\n1\n2"],
    ["blank lines", "\n\na:x\n\n\n1\n\r\n\r\n2\n\n"],
    ["a byte order mark", "\ufeffa:x\n1\n2\n"],
  ])("accepts %s", async (_, text) => {
    expect(await importText(text)).toMatchObject({ status: "succeeded", done: 2, report: { failed: 0 } });
    expect(await stored()).toHaveLength(2);
  });

  it("gives columns the fields that the caller names, whatever their header, and leaves out those without one", async () => {
    const text = "Name;Loan no.;Internal\nAda;A-1;x\nBob;A-2;y\n";
    for (const columns of [["customer:name", "loan:number", ""], "customer:name,loan:number,"]) {
      expect(await importText(text, { columns, key: "loan:number" })).toMatchObject({ status: "succeeded", done: 2 });
    }
    expect(await stored()).toEqual([
      { customer: { name: "Ada" }, loan: { number: "A-1" } },
      { customer: { name: "Bob" }, loan: { number: "A-2" } },
    ]);
  });

  it.each([
    [["a:x"], '"columns" has 1'],
    [["a:x", "a:y", "a:z"], '"columns" has 3'],
  ])("fails for the columns %j of a file with two", async (columns, message) => {
    const job = await importText("x,y\n1,2\n", { columns });
    expect(job.error?.message).toBe(`The header is wrong. It has 2 columns, but ${message}.`);
  });

  it.each([
    [["x"], "/columns/0"],
    [["a:x", "", "a:x"], "/columns/2"],
    [["", ""], "/columns"],
  ])("refuses the columns %j", async (columns, pointer) => {
    await expect(t.stepwell.records.import(t.app, loans, "x,y,z\n", { columns })).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer }],
    });
  });

  it.each([",", ";", "\t", "|"] as const)("detects the delimiter %j", async (delimiter) => {
    await importText(["a:x", '"a:,;,;y"', "a:z"].join(delimiter).concat("\n", [1, 2, 3].join(delimiter)));
    expect(await stored()).toEqual([{ a: { x: 1, ",;,;y": 2, z: 3 } }]);
  });

  it("imports an empty text as no records", async () => {
    for (const text of ["", "\n\n", "a:x\n"]) {
      expect(await importText(text)).toMatchObject({ status: "succeeded", done: 0 });
    }
  });

  it("treats quotes within a cell as text", async () => {
    await importText('a:x,a:y\n5" pipe,"5"" pipe"\n"a"b,c"d"\n');
    const data = await stored();
    expect(data).toContainEqual({ a: { x: '5" pipe', y: '5" pipe' } });
    expect(data).toHaveLength(2);
  });
});

describe("the charset", () => {
  it.each([
    ["UTF-8", new TextEncoder().encode("a:x\nMüller €\n"), undefined],
    ["windows-1252", bytes(97, 58, 120, 10, 77, 0xfc, 108, 108, 101, 114, 32, 0x80, 10), undefined],
    [
      "UTF-16 with a mark",
      bytes(0xff, 0xfe, ...[..."a:x\nMüller €\n"].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8])),
      undefined,
    ],
    ["a named one", bytes(97, 58, 120, 10, 77, 0xfc, 108, 108, 101, 114, 32, 0xa4, 10), "iso-8859-15"],
  ])("is read as %s", async (_, text, charset) => {
    await importText(text, charset === undefined ? {} : { charset });
    expect(await stored()).toEqual([{ a: { x: "Müller €" } }]);
  });

  it("is windows-1252 if the last bytes could begin a character of UTF-8, however the text arrives", async () => {
    const text = bytes(97, 58, 120, 10, 99, 97, 102, 0xe9);
    await importText(text);
    async function* byteByByte() {
      for (const byte of text) yield Uint8Array.of(byte);
    }
    const job = await t.stepwell.records.import(t.app, loans, byteByByte());
    expect((await t.stepwell.jobs.wait(t.app, job.id)).status).toBe("succeeded");
    expect(await stored()).toEqual([{ a: { x: "café" } }, { a: { x: "café" } }]);
  });

  it("is refused if it is unknown, or the bytes are invalid in it", async () => {
    const send = (charset: string) => t.stepwell.records.import(t.app, loans, bytes(97, 0xff), { charset });
    await expect(send("klingon")).rejects.toMatchObject({ code: "unsupported_media_type" });
    await expect(send("utf-8")).rejects.toMatchObject({ code: "malformed" });
    const string = t.stepwell.records.import(t.app, loans, "a:b\nä\n", { charset: "windows-1252" });
    await expect(string).rejects.toMatchObject({ errors: [{ pointer: "/charset" }] });
    expect((await t.stepwell.jobs.list(t.app)).items).toEqual([]);
  });
});

describe("importing lines of JSON", () => {
  it("reads records as a list shows them", async () => {
    const tag = await t.stepwell.tags.create(t.app, { name: "Big" });
    await t.stepwell.records.create(t.app, loans, { data: { a: { x: [1, { y: null }] } }, tags: [tag.id] });
    const { items } = await t.stepwell.records.list(t.app, loans);
    const lines = [...items, { data: { b: { z: "2" } }, tags: [tag.id] }].map((record) => JSON.stringify(record));
    expect(await importText(lines.join("\n"), { format: "jsonl" })).toMatchObject({ done: 2, report: { failed: 0 } });
    const all = (await t.stepwell.records.list(t.app, loans)).items;
    expect(all).toHaveLength(3);
    expect(all.every(({ tags }) => tags[0]?.id === tag.id)).toBe(true);
  });

  it("fails for an array of records", async () => {
    const job = await importText('[\n{"data":{"a":{"x":1}}}\n]', { format: "jsonl" });
    expect(job).toMatchObject({ status: "failed", done: 0 });
    expect(job.error?.message).toContain("The body is a JSON array.");
  });

  it("reports bad lines", async () => {
    const lines = [
      "{",
      "[]",
      '{"date":{}}',
      '{"data":{"a":1}}',
      '{"tags":["tag_x"]}',
      "{}",
      '{"data":{"__proto__":{}}}',
    ];
    const job = await importText(lines.join("\n"), { format: "jsonl" });
    expect(job).toMatchObject({ status: "succeeded", done: 7, report: { failed: 6 } });
    expect(job.report.problems.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 7]);
  });
});

describe("a round trip", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom(..."'\"=+-@\t\r\n,;|[]{}:01.eE \ufeff\0＝") }),
    fc.constantFrom(
      "true",
      "null",
      "-1",
      "1e5",
      "007",
      "12345678901234567890",
      "'=1",
      '"a"',
      "[1]",
      "=1+1",
      "-a",
      "\ud800",
    ),
  );
  const value: fc.Arbitrary<JsonValue> = fc.oneof(
    text,
    fc.boolean(),
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
    fc.array(fc.oneof(text, fc.integer(), fc.constant(null)), { maxLength: 3 }),
    fc.dictionary(
      text.filter((name) => name !== "__proto__"),
      fc.oneof(text, fc.boolean()),
      { maxKeys: 3 },
    ),
  );
  const field = fc.constantFrom("x", "y", "=cmd", "a;b", "c,d", 'q"r', "'+z", "line\nbreak");
  const data = fc.dictionary(fc.constantFrom("e", "-f"), fc.dictionary(field, value, { minKeys: 1, maxKeys: 4 }), {
    maxKeys: 2,
  });

  it.each(["csv", "jsonl"] as const)("through %s keeps every value", async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(data, { minLength: 1, maxLength: 8 }), async (all) => {
        const [from, to] = await Promise.all(
          ["From", "To"].map(async (name) => (await t.stepwell.collections.create(t.app, { name })).id),
        );
        const operations = all.map((one) => ({ op: "create" as const, data: one }));
        await t.stepwell.records.bulk(t.app, from ?? "", { operations });
        const body = await t.stepwell.records.export(t.app, from ?? "", { format });
        expect(await importText(new Uint8Array(await new Response(body).arrayBuffer()), { format }, to)).toMatchObject({
          status: "succeeded",
          report: { failed: 0 },
        });
        const sorted = (found: object[]) => found.map((one) => JSON.stringify(one)).sort();
        // An export without any field has no columns, hence no rows.
        const isEmpty = format === "csv" && all.every((one) => Object.keys(one).length === 0);
        expect(sorted((await stored(to)).map(canonical))).toEqual(isEmpty ? [] : sorted(all.map(canonical)));
      }),
      { numRuns: 15 },
    );
  });
});

/** With sorted names. */
function canonical(value: object): object {
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [
    name,
    typeof inner === "object" && inner !== null && !Array.isArray(inner) ? canonical(inner) : inner,
  ]);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

describe("exporting", () => {
  it("runs no formula in a spreadsheet", async () => {
    const formulas = ["=1+1", "+1", "-a", "@a", "\t=1", "\r=1", "'=1", "＝1"];
    for (const x of formulas) await t.stepwell.records.create(t.app, loans, { data: { a: { x } } });
    await t.stepwell.records.create(t.app, loans, { data: { "=a": { b: -5 } } });
    const cells = (await exported()).split("\r\n").flatMap((row) => row.split(/,(?=[^,]*$)/));
    for (const cell of cells) expect(cell.replace(/^"/, "")).not.toMatch(/^[=+@\t\r＝]|^-(?!5$)/);
  });

  it("selects records and columns", async () => {
    for (let n = 0; n < 120; n++) {
      await t.stepwell.records.create(t.app, loans, { data: { a: { n, parity: n % 2 === 0 ? "even" : "odd" } } });
    }
    const some = await exported({ filter: [{ field: "a:parity", op: "eq", value: "even" }], fields: ["a:n"] });
    const evens = Array.from({ length: 60 }, (_, n) => `"${2 * n}"`);
    expect(some).toBe(`"a:n"\r\n${evens.map((n) => `${n}\r\n`).join("")}`);
    expect((await exported({ format: "jsonl" })).trim().split("\n")).toHaveLength(120);
  });

  it("has each record once, and none that is created meanwhile", async () => {
    for (let n = 0; n < 120; n++) await t.stepwell.records.create(t.app, loans, { data: { a: { n } } });
    const body = await t.stepwell.records.export(t.app, loans, { format: "jsonl" });
    const found: string[] = [];
    for await (const chunk of body) {
      await t.stepwell.records.create(t.app, loans, { data: {} });
      found.push(...new TextDecoder().decode(chunk).trim().split("\n"));
    }
    expect(new Set(found.map((line) => JSON.parse(line).id)).size).toBe(120);
    expect(found).toHaveLength(120);
  });

  it.each<{ format: "csv" | "jsonl"; fields?: string[] }>([{ format: "csv", fields: ["a:n"] }, { format: "jsonl" }])(
    "fails if the app is deleted meanwhile: %o",
    async (options) => {
      for (let n = 0; n < 120; n++) await t.stepwell.records.create(t.app, loans, { data: { a: { n } } });
      const body = await t.stepwell.records.export(t.app, loans, options);
      const reader = body.getReader();
      await reader.read();
      await t.stepwell.apps.remove(t.app);
      const rest = async () => {
        while (!(await reader.read()).done);
      };
      await expect(rest()).rejects.toMatchObject({ code: "not_found" });
    },
  );

  it("ends with its signal", async () => {
    await t.stepwell.records.create(t.app, loans, { data: { a: { x: 1 } } });
    const control = new AbortController();
    const body = await t.stepwell.records.export(t.app, loans, { signal: control.signal });
    control.abort(new Error("enough"));
    await expect(new Response(body).text()).rejects.toThrow("enough");
  });
});
