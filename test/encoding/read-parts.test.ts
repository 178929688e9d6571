/** The parts of multipart bodies, however the network splits these. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readParts } from "../../src/encoding/multipart/read-parts.ts";

const TYPE = "multipart/form-data; boundary=b";
const encode = (text: string) => new TextEncoder().encode(text);

/** The body in pieces of at most this size. */
async function* inPieces(body: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.slice(at, at + size);
}

async function partsOf(body: Uint8Array, size = body.length): Promise<[name: string, content: number[]][]> {
  const parts: [string, number[]][] = [];
  for await (const { name, body: bytes } of readParts(TYPE, inPieces(body, size))) {
    const content: number[] = [];
    for await (const piece of bytes) content.push(...piece);
    parts.push([name, content]);
  }
  return parts;
}

const head = (name: string) => `Content-Disposition: form-data; name="${name}"\r\n`;
const body = (...contents: Uint8Array[]) =>
  Uint8Array.from([
    ...contents.flatMap((content, index) => [...encode(`--b\r\n${head(`n${index}`)}\r\n`), ...content, 13, 10]),
    ...encode("--b--\r\n"),
  ]);
/** Bytes of which many begin like a boundary. */
const content = fc
  .array(fc.constantFrom(13, 10, 45, 98, 0, 255), { maxLength: 40 })
  .map((bytes) => Uint8Array.from(bytes))
  .filter((bytes) => !`\r\n${String.fromCharCode(...bytes)}\r`.includes("\r\n--b"));

describe("a multipart body", () => {
  it("gives the same parts for any contents and any pieces", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(content, { maxLength: 4 }), fc.integer({ min: 1, max: 60 }), async (contents, size) => {
        const expected = contents.map((bytes, index) => [`n${index}`, [...bytes]]);
        expect(await partsOf(body(...contents), size)).toEqual(expected);
      }),
    );
  });

  it.each([
    ["white space behind a boundary", `--b \t\r\n${head("n")}\r\na\r\n--b--`, [["n", [97]]]],
    ["a preamble and an epilogue", `hello\r\n--b\r\n${head("n")}\r\na\r\n--b--\r\nbye --b\r\n`, [["n", [97]]]],
    ["an empty part that shares a line break with the boundary", `--b\r\n${head("n")}\r\n--b--`, [["n", []]]],
    ["no part", "--b--", []],
  ])("may have %s", async (_, text, expected) => {
    for (const size of [1, 2, 7, 1_000]) expect(await partsOf(encode(text), size)).toEqual(expected);
  });

  it.each([
    ["nothing", ""],
    ["no boundary", "hello"],
    ["no last boundary", `--b\r\n${head("n")}\r\na`],
    ["headers that do not end", `--b\r\n${head("n")}`],
    ["text behind a boundary", `--b x\r\n${head("n")}\r\na\r\n--b--`],
    ["two dispositions", `--b\r\n${head("n")}${head("m")}\r\na\r\n--b--`],
    ["endless headers", `--b\r\na: ${"x".repeat(20_000)}\r\n\r\n\r\n--b--`],
    ["an endless preamble", `${"x".repeat(70_000)}\r\n--b--`],
    ["an endless epilogue", `--b--${"x".repeat(70_000)}`],
  ])("is refused with %s", async (_, text) => {
    for (const size of [3, 100_000]) {
      await expect(partsOf(encode(text), size)).rejects.toMatchObject({ code: "malformed" });
    }
  });

  it("skips parts that nobody reads", async () => {
    const names: string[] = [];
    for await (const { name } of readParts(TYPE, inPieces(body(encode("a"), encode("b")), 5))) names.push(name);
    expect(names).toEqual(["n0", "n1"]);
  });
});
