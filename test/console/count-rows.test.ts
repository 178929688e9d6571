/** The rows of a file that is imported, counted in the browser. */
import { expect, it } from "vitest";
import { countRows } from "../../adapters/console/app/records/import/count-rows.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

it("counts the rows of CSV without the header, blank lines and line ends in quotes", () => {
  expect(countRows(bytesOf('a:b;a:c\n1;2\n\n"3\n3";4\r\n5;6'), "csv")).toBe(3);
  expect(countRows(bytesOf("a:b"), "csv")).toBe(0);
  expect(countRows(bytesOf(""), "csv")).toBe(0);
});

it("counts as many rows as the server can find", () => {
  expect(countRows(bytesOf(`a:b\n${"1\n".repeat(25_000)}`), "csv")).toBe(25_000);
  expect(countRows(bytesOf('a:b\n1\n"2\n'), "csv")).toBe(1);
});

it("counts lines of JSON", () => {
  expect(countRows(bytesOf('{"data":{}}\n\n{"data":{"a":{"b":"\\""}}}\n'), "jsonl")).toBe(2);
});

it("leaves a text in another encoding to the server", () => {
  expect(countRows(new Uint8Array([0xff, 0xfe, 97, 0, 10, 0]), "csv")).toBeNull();
});
