/** The start of CSV and TSV as a table, and texts that are none. */
import { describe, expect, it } from "vitest";
import { csvStart, MAX_COLUMNS, MAX_ROWS } from "../../adapters/console/app/previews/csv-start.ts";

const TSV = "text/tab-separated-values";
const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index},x\n`).join("");
const read = (text: string, isWhole = true, type = "text/csv") => csvStart(text, type, isWhole);

describe("the start of CSV", () => {
  it.each([
    ["commas", 'a,b\n"1,5",2\n', ["1,5", "2"]],
    ["semicolons", "a;b\n1,5;2\n", ["1,5", "2"]],
    ["tabs", "a\tb\n1,5\t2\n", ["1,5", "2"]],
    ["quotes and lines within a cell", 'a,b\r\n"say ""hi""\n",2', ['say "hi"\n', "2"]],
  ])("is a table with %s", (_, text, row) => {
    expect(read(text)).toEqual({ header: ["a", "b"], rows: [row], hasMoreRows: false, columns: 2 });
  });

  it("has the tabs of TSV, whatever its header contains", () => {
    expect(read("last, first, other\tage\nLovelace, Ada\t36\n", true, TSV)).toMatchObject({
      header: ["last, first, other", "age"],
      rows: [["Lovelace, Ada", "36"]],
    });
  });

  it("has rows that are shorter or longer than its header, and none", () => {
    expect(read("a,b\n1\n1,2,3\n")).toMatchObject({ rows: [["1"], ["1", "2", "3"]], columns: 3 });
    expect(read("a,b")).toEqual({ header: ["a", "b"], rows: [], hasMoreRows: false, columns: 2 });
  });

  it("is cut after the last complete row", () => {
    expect(read("a,b\n1,2\n3,4", false)).toMatchObject({ rows: [["1", "2"]], hasMoreRows: true });
    expect(read('a,b\n1,2\n3,"4\n5', false)).toMatchObject({ rows: [["1", "2"]], hasMoreRows: true });
  });

  it("has at most so many rows and columns", () => {
    const full = read(`a,b\n${lines(MAX_ROWS)}`);
    expect([full?.rows.length, full?.hasMoreRows]).toEqual([MAX_ROWS, false]);
    const longer = read(`a,b\n${lines(MAX_ROWS + 1)}`);
    expect([longer?.rows.length, longer?.hasMoreRows]).toEqual([MAX_ROWS, true]);
    const wide = `${"x,".repeat(MAX_COLUMNS)}x`;
    const wider = read(`${wide}\n${wide}`);
    expect([wider?.header.length, wider?.rows[0]?.length, wider?.columns]).toEqual([
      MAX_COLUMNS,
      MAX_COLUMNS,
      MAX_COLUMNS + 1,
    ]);
  });
});

it.each([
  ["nothing", "", true],
  ["blank lines", "\n\r\n", true],
  ["a quote without an end", 'a,b\n"1,2\n', true],
  ["a NUL character", "a,b\n1,\0\n", true],
  ["a header that goes on", "a,b", false],
  ["a first row that goes on", "a,b\n1,", false],
])("%s is no table", (_, text, isWhole) => {
  expect(read(text, isWhole)).toBe(null);
});
