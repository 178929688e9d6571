/** CSV in the dialog for imports: the columns of a file, the fields that they fill, and an example for the collection. */
import { describe, expect, it } from "vitest";
import {
  namesFields,
  problemsOf,
  suggestedFields,
  usualEntity,
} from "../../adapters/console/app/records/import/column-fields.ts";
import { isOtherText, readCsvColumns } from "../../adapters/console/app/records/import/csv-columns.ts";
import { exampleCsv } from "../../adapters/console/app/records/import/example-csv.ts";

const read = (...parts: BlobPart[]) => readCsvColumns(new Blob(parts));
const named = (...names: string[]) => names.map((name) => ({ name, sample: "" }));

describe("readCsvColumns", () => {
  it.each([
    ["names and values", "name,age\nAda,36\n", { name: "Ada", age: "36" }],
    ["a header without a row", "name", { name: "" }],
    ["an empty name", ",b\n1,2\n", { "": "1", b: "2" }],
    ["quoted cells", '"a, b";"say ""hi""";c"d\n"x;y";"5""";6"\n', { "a, b": "x;y", 'say "hi"': '5"', 'c"d': '6"' }],
    ["a byte order mark and blank lines", "\ufeff\n\na\tb \r\n1\t2\r\n", { a: "1", b: "2" }],
    ["a guarded name", "'=a\n1\n", { "=a": "1" }],
    ["windows-1252", new Uint8Array([0xfc, 10, 0x80, 10]), { ü: "€" }],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0xfc, 0, 10, 0, 49, 0]), { ü: "1" }],
  ])("reads %s", async (_, text, columns) => {
    const found = await read(text);
    expect(Object.fromEntries((found ?? []).map(({ name, sample }) => [name, sample]))).toEqual(columns);
  });

  it("reads the beginning of a long file, which may end within a character", async () => {
    for (const length of [65_527, 65_528]) {
      expect(await read(`ä,b\n1,${"x".repeat(length)}`, "ü".repeat(10), "\n")).toEqual([
        { name: "ä", sample: "" },
        { name: "b", sample: "" },
      ]);
    }
  });

  it.each([
    ["nothing", ""],
    ["a header that is longer than what is read", "x".repeat(70_000)],
    ["a header with a NUL character", "a\0,b\n"],
  ])("leaves %s to the server", async (_, text) => {
    expect(await read(text)).toBe(null);
  });
});

describe("isOtherText", () => {
  it.each([
    [true, "csv", '[{"data":{}}]'],
    [true, "csv", '{"data":{}}'],
    [true, "csv", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13])],
    [true, "jsonl", '\ufeff[\n  {"data":{}}\n]'],
    [false, "jsonl", '{"data":{}}'],
    [false, "csv", "[id],name\n1,2\n"],
    [false, "csv", ""],
    [false, "csv", new Uint8Array([0xff, 0xfe, 0xfc, 0, 10, 0, 49, 0])],
  ] as const)("is %s for %s, file %#", async (expected, format, content) => {
    expect(await isOtherText(new Blob([content]), format)).toBe(expected);
  });
});

describe("the fields of columns", () => {
  it("need no choice if the header names them", () => {
    expect(namesFields(named("a:x", "a:y"))).toBe(true);
    for (const names of [
      ["a:x", "y"],
      ["a:x", ""],
      ["a:x", "a:x"],
    ])
      expect(namesFields(named(...names))).toBe(false);
  });

  it("are those of the collection with the same name, else new ones", () => {
    const known = ["loan:number", "loan:amount", "customer:name"];
    expect(usualEntity(known)).toBe("loan");
    expect(suggestedFields(named("Name", "Amount ", "amount", "Loan no.", "x:y", "–"), "loan", known)).toEqual([
      "customer:name",
      "loan:amount",
      "loan:amount",
      "loan:loan_no",
      "x:y",
      "",
    ]);
    expect(usualEntity([])).toBe("record");
  });

  it("are refused where the server would refuse them", () => {
    expect([...problemsOf(["a:x", "y", "", "a:x"]).keys()]).toEqual([1, 3]);
    expect([...problemsOf(["a:x", "", "a:x"])]).toEqual([
      [2, expect.stringContaining("Another column has this field")],
    ]);
    expect([...problemsOf(["", ""])]).toEqual([[0, "Must name the field of at least one column."]]);
    expect([...problemsOf(["a:x", ""])]).toEqual([]);
  });
});

describe("exampleCsv", () => {
  it("has the fields of a collection without records, and invented ones of one without fields", () => {
    expect(exampleCsv(["loan:number"], [])).toBe("loan:number\n…");
    expect(exampleCsv([], [])).toBe("customer:name,customer:age\nAda Lovelace,36");
  });
});
