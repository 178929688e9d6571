/** The header of CSV in the dialog for imports: an example for the collection, and what is wrong with that of a file. */
import { describe, expect, it } from "vitest";
import { exampleCsv, headerProblem } from "../../adapters/console/app/records/csv-header.ts";

const problemOf = (...parts: BlobPart[]) => headerProblem(new Blob(parts));

describe("headerProblem", () => {
  it.each([
    ["names without a colon", "name,age\nAda,36\n", 'Column 1 is "name". It must have the form entity:field'],
    ["an empty name", "a:x,\n1,2\n", 'Column 2 is ""'],
    ["a name that comes twice", "a:x;a:x\n", 'It has the column "a:x" twice'],
    ["quoted names", '"a:x","y"\n', 'Column 2 is "y"'],
    ["a header without a row", "name", 'Column 1 is "name"'],
  ])("finds %s", async (_, text, problem) => {
    expect(await problemOf(text)).toContain(problem);
  });

  it.each([
    ["a right one", "a:x,a:y\n1,2\n"],
    ["a byte order mark and blank lines", "\ufeff\n\na:x\ta:y\r\n"],
    ["nothing", ""],
  ])("accepts %s", async (_, text) => {
    expect(await problemOf(text)).toBe(null);
  });

  it.each([
    ["another charset", [new Uint8Array([97, 0xfc, 10])]],
    ["UTF-16", [new Uint8Array([0xff, 0xfe, 97, 0, 10, 0])]],
    ["a quote within a name", ['"a:""x"""\n']],
    ["a header that is longer than what is read", ["x".repeat(70_000)]],
  ])("leaves %s to the server", async (_, parts) => {
    expect(await problemOf(...parts)).toBe(null);
  });
});

describe("exampleCsv", () => {
  it("has the named fields of a collection without records, and invented ones of one without fields", () => {
    expect(exampleCsv(["loan:number"], [])).toBe("loan:number\n…");
    expect(exampleCsv([], [])).toBe("customer:name,customer:age\nAda Lovelace,36");
  });
});
