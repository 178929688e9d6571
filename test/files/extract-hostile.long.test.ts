/** Broken and hostile documents: each ends with a clear error and without harm. */
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import fc from "fast-check";
import mime from "mime";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createExtractor } from "../../adapters/extract/extractor.ts";
import { ExtractError } from "../../src/ports/extractor.ts";
import * as hostile from "../support/files/hostile-documents.ts";
import { times } from "../support/sample.ts";

const { TYPES } = hostile;
const MEBI = 1024 * 1024;
const folder = fileURLToPath(new URL("documents/", import.meta.url));

/** Milliseconds; another limit is reached before. */
const TIME = 600_000;
const LIMITS = { threads: 1, memoryBytes: 96 * MEBI, unpackedBytes: 16 * MEBI };
const extractor = createExtractor({ ...LIMITS, timeoutMs: TIME });
/** For documents that fill any memory. */
const small = createExtractor({ ...LIMITS, timeoutMs: TIME, memoryBytes: 48 * MEBI });
/** For documents that make PDF.js wait forever. */
const impatient = createExtractor({ ...LIMITS, timeoutMs: 8_000 });
afterAll(() => Promise.all([extractor, small, impatient].map((each) => each.close())));

afterEach(async () => expect(await resultOf("alive", "text/plain")).toBe("alive"));

interface Failure {
  readonly code: string;
  readonly limit: string | undefined;
  readonly message: string;
}

/** The text or the error. */
async function resultOf(given: string | Uint8Array, mime_type: string, reader = extractor): Promise<string | Failure> {
  const bytes = typeof given === "string" ? new TextEncoder().encode(given) : given;
  try {
    const { text } = await reader.extract({ name: "it", mime_type, bytes }, { text: true, images: true });
    return text ?? "";
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
    const { code, limit, message } = error;
    return { code, limit, message };
  }
}

const damaged = (words: RegExp) => ({ code: "damaged", limit: undefined, message: expect.stringMatching(words) });
const tooLarge = (limit: string) => expect.objectContaining({ code: "too_large", limit });

describe("a document of another type than announced", () => {
  it.each<[string, string | Uint8Array, string, RegExp]>([
    ["nothing", "", TYPES.pdf, /^The contents of "it" cannot be read: it is empty\.$/],
    ["text", "just text", TYPES.pdf, /has no PDF header/],
    ["text", "just text", TYPES.docx, /not a valid ZIP archive/],
    ["a head without a body", "%PDF-1.7\n", TYPES.pdf, /it is damaged or not application\/pdf/],
    ["bytes", Uint8Array.of(1, 0, 2, 0), "text/plain", /is binary, or text in an undeclared encoding/],
    ["no header fields", "just text", "message/rfc822", /no e-mail headers/],
  ])("is reported as damaged: %s", async (_, bytes, type, words) =>
    expect(await resultOf(bytes, type)).toEqual(damaged(words)),
  );

  it.each(["docx", "xlsx", "pptx"] as const)(
    "is reported as damaged when a ZIP archive is announced as %s",
    async (type) => {
      const zip = await hostile.zipOf({ "a.txt": "a" });
      expect(await resultOf(zip, TYPES[type])).toEqual(damaged(/a ZIP archive without a/));
    },
  );

  it("of an unsupported type is rejected with the supported types", async () => {
    expect(await resultOf("x", "video/mp4")).toEqual({
      code: "unsupported",
      limit: undefined,
      message: expect.stringMatching(/video\/mp4 is not a supported type\. Supported: PDF, DOCX, XLSX/),
    });
  });
});

describe("an encrypted document", () => {
  const encrypted = expect.objectContaining({ code: "encrypted" });
  it.each(["encrypted.pdf", "encrypted.docx"])("is reported as encrypted: %s", async (name) => {
    expect(await resultOf(await readFile(folder + name), mime.getType(name) ?? "")).toEqual(encrypted);
  });
  it("is reported as encrypted: OpenDocument", async () => {
    const manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>";
    expect(await resultOf(await hostile.odf("<x/>", manifest), TYPES.odt)).toEqual(encrypted);
  });
});

describe("a truncated document", () => {
  it("is reported as damaged, or read as far as possible for a PDF", async () => {
    const names = (await readdir(folder)).filter((name) => /\.(docx|xlsx|pptx|od.|pdf)$/.test(name));
    for (const name of names.filter((one) => !one.startsWith("encrypted"))) {
      const whole = await readFile(folder + name);
      for (const part of [0.1, 0.5, 0.9, 0.99]) {
        const result = await resultOf(whole.subarray(0, whole.length * part), mime.getType(name) ?? "");
        // A truncated PDF may be readable: PDF readers recover what they can.
        if (!name.endsWith(".pdf")) expect(result, `${name} ${part}`).toEqual(damaged(/not a valid ZIP archive/));
        else if (typeof result !== "string") expect(result, `${name} ${part}`).toMatchObject({ code: "damaged" });
      }
    }
  });
});

describe("a document with corrupted bytes", async () => {
  const names = (await readdir(folder)).filter((name) => /\.(docx|xlsx|pptx|od.|pdf)$/.test(name));
  it.each(names)("is read or reported with a known error code: %s", async (name) => {
    const whole = await readFile(folder + name);
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 });
    const isReported = fc.asyncProperty(changes, async (given) => {
      const changed = Uint8Array.from(whole);
      for (const [at, byte] of given) changed[at] = byte;
      const result = await resultOf(changed, mime.getType(name) ?? "", impatient);
      const end = typeof result === "string" ? "read" : result.code;
      expect(["read", "damaged", "encrypted", "too_large", "timeout"]).toContain(end);
    });
    await fc.assert(isReported, { numRuns: times(3, 8) });
  });

  it("is reported as damaged when PDF.js leaves a rejected promise", async () => {
    const changed = Uint8Array.from(await readFile(`${folder}report.pdf`));
    for (const [at, byte] of [
      [8945, 91],
      [8958, 52],
      [11_036, 53],
      [4696, 46],
    ] as const)
      changed[at] = byte;
    expect(await resultOf(changed, TYPES.pdf)).toEqual(damaged(/Inconsistent generation in XRef/));
  });
});

describe("a zip bomb", () => {
  it("is rejected by its declared size", async () => {
    expect(await resultOf(await hostile.xlsx(new Uint8Array(20 * MEBI)), TYPES.xlsx)).toEqual(
      tooLarge("unpackedBytes"),
    );
  });
  it("is rejected when it declares a false size", async () => {
    const zip = await hostile.xlsx(new Uint8Array(20 * MEBI));
    expect(await resultOf(hostile.withDeclaredSize(zip, 1000), TYPES.xlsx)).toMatchObject({ code: "damaged" });
  });
});

describe("XML in a document", () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i} "${`&a${i === 0 ? "" : i - 1};`.repeat(10)}">`).join("")}]>`;
  it("is rejected when it declares entities", async () => {
    const word = hostile.wordXml("<w:p><w:r><w:t>&a8;</w:t></w:r></w:p>", bomb);
    expect(await resultOf(await hostile.docx(word), TYPES.docx)).toEqual(damaged(/has a document type declaration/));
    const sheet = `${bomb}<worksheet><sheetData><row><c t="inlineStr"><is><t>&a8;</t></is></c></row></sheetData></worksheet>`;
    expect(await resultOf(await hostile.xlsx(sheet), TYPES.xlsx)).toEqual(damaged(/has a document type declaration/));
    expect(await resultOf(`${bomb}<x>&a8;</x>`, "application/xml")).toContain("<x>&a8;</x>");
  });
  it("is rejected when its elements are nested too deeply", async () => {
    const deep = (name: string) => `<${name}>`.repeat(50_000) + `</${name}>`.repeat(50_000);
    expect(await resultOf(await hostile.docx(hostile.wordXml(deep("w:p"))), TYPES.docx)).toMatchObject({
      code: "damaged",
    });
    expect(await resultOf(await hostile.odf(deep("text:p")), TYPES.odt)).toEqual(damaged(/deeper than 2000 levels/));
  });
  it("is rejected when it ends early", async () => {
    expect(await resultOf(await hostile.odf("<a><b>text"), TYPES.odt)).toEqual(damaged(/"content.xml" ends within/));
  });
});

describe("a large document", () => {
  it("with 20,000 rows is read", async () => {
    const row = `<row>${'<c t="n"><v>12.5</v></c>'.repeat(10)}</row>`;
    const text = await resultOf(await hostile.xlsx(`<worksheet>${row.repeat(20_000)}</worksheet>`), TYPES.xlsx);
    expect(String(text).split("\n").length).toBe(20_002);
  });
  it("with repeated cells is rejected for too much text", async () => {
    const cell = '<table-cell number-columns-repeated="2000000000"><p>much</p></table-cell>';
    const rows = `<table-row number-rows-repeated="2000000000">${cell}</table-row>`;
    const content = `<document><spreadsheet><table name="T">${rows}</table></spreadsheet></document>`;
    expect(await resultOf(await hostile.odf(content), TYPES.ods)).toEqual(tooLarge("textCharacters"));
  });
  it.each([
    ["<div><b>", "</b></div>"],
    ["<table><tr><td>x", "</table>"],
    ["<ul><li>", "</ul>"],
  ])("of HTML is read 1,000 elements deep and rejected beyond 5,000: %s", async (open, close) => {
    expect(await resultOf(`${open.repeat(1000)}end${close.repeat(1000)}`, "text/html")).toContain("end");
    expect(await resultOf(`${open.repeat(50_000)}end`, "text/html")).toEqual(damaged(/nested deeper than 5000 levels/));
  });
  it("is rejected with the name of each limit", async () => {
    const limited = createExtractor({
      timeoutMs: TIME,
      fileBytes: 20_000,
      textCharacters: 100,
      images: 1,
      imageBytes: 3000,
    });
    const picture = await readFile(`${folder}picture.png`);
    const photo = await readFile(`${folder}photo.jpg`);
    const mail = (...images: Buffer[]) =>
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${images.map((image) => `--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${image.toString("base64")}\r\n`).join("")}--b--`;
    const onlyImages = async (text: string) => {
      const document = { name: "it", mime_type: "message/rfc822", bytes: new TextEncoder().encode(text) };
      return limited.extract(document, { text: false, images: true });
    };
    expect(await resultOf("x".repeat(20_001), "text/plain", limited)).toEqual(tooLarge("fileBytes"));
    expect(await resultOf("x".repeat(101), "text/plain", limited)).toEqual({
      ...{ code: "too_large", limit: "textCharacters" },
      message: 'The contents of "it" cannot be read: it has more than 100 characters of text.',
    });
    expect((await onlyImages(mail(picture, picture))).images.length).toBe(1);
    await expect(onlyImages(mail(picture, Buffer.concat([picture, picture])))).rejects.toEqual(tooLarge("images"));
    await expect(onlyImages(mail(photo))).rejects.toEqual(tooLarge("imageBytes"));
    await limited.close();
  });
});

/** Inflates to more than a small extractor may take. */
const memoryBomb = hostile.onePage(
  hostile.stream("/Filter [/FlateDecode /FlateDecode]", hostile.deflatedTwice(64 * MEBI)),
);

/** Takes seconds to read. */
const manyPages = hostile.manyPages(100_000);

describe("a hostile PDF", () => {
  const none = hostile.stream("", new TextEncoder().encode("q Q"));
  it.each<[string, () => Uint8Array]>([
    [
      "pages that hold themselves",
      () => hostile.pdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R] /Count 5 >>"]),
    ],
    [
      "more pages than it has",
      () => hostile.pdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 2000000000 >>"]),
    ],
    ["tables of objects in a circle", () => hostile.pdf(["<< /Type /Catalog /Pages 9 0 R >>"], "/Prev START")],
    [
      "a form that draws itself",
      () =>
        hostile.onePage(
          hostile.stream("", new TextEncoder().encode("/I Do")),
          hostile.stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /I 5 0 R >> >>",
            new TextEncoder().encode("/I Do /I Do"),
          ),
        ),
    ],
    ["an object in itself", () => hostile.onePage(none, `${"[".repeat(200_000)}${"]".repeat(200_000)}`)],
  ])("with %s does not block the extractor", async (_, make) => {
    const result = await resultOf(make(), TYPES.pdf, impatient);
    if (typeof result !== "string") expect(["damaged", "timeout", "too_large"]).toContain(result.code);
    else expect(result).toBe("");
  });

  it("with content that inflates endlessly is rejected for too much memory", async () => {
    expect(await resultOf(memoryBomb, TYPES.pdf, small)).toEqual(tooLarge("memoryBytes"));
  });

  it("with a huge image is rejected for too much memory", async () => {
    const dictionary =
      "/Type /XObject /Subtype /Image /Width 4500 /Height 4500 /BitsPerComponent 8 /ColorSpace /DeviceRGB";
    const pixels = hostile.deflatedTwice(3 * 4500 * 4500);
    const image = hostile.stream(`${dictionary} /Filter [/FlateDecode /FlateDecode]`, pixels);
    const draw = hostile.stream("", new TextEncoder().encode("/I Do"));
    expect(await resultOf(hostile.onePage(draw, image), TYPES.pdf, small)).toEqual(tooLarge("memoryBytes"));
  });

  it("with 100,000 pages is stopped at the time limit", async () => {
    const hasty = createExtractor({ timeoutMs: 300 });
    expect(await resultOf(manyPages, TYPES.pdf, hasty)).toEqual({
      ...{ code: "timeout", limit: "timeoutMs" },
      message: 'The contents of "it" cannot be read: reading it took longer than the limit of 300 ms.',
    });
    await hasty.close();
  });
});

describe("the extractor", () => {
  it("ends the thread of a document that takes too much memory", async () => {
    const ends: Promise<unknown>[] = [];
    const watch = (worker: Worker) => void ends.push(once(worker, "exit"));
    process.on("worker", watch);
    const one = createExtractor({ ...LIMITS, timeoutMs: TIME, memoryBytes: 48 * MEBI });
    const rounds = times(1, 2);
    for (let round = 0; round < rounds; round++)
      expect(await resultOf(memoryBomb, TYPES.pdf, one)).toEqual(tooLarge("memoryBytes"));
    process.off("worker", watch);
    expect(ends).toHaveLength(rounds);
    await Promise.all(ends);
    await one.close();
  });

  it("survives a thread whose heap is full", async () => {
    const tiny = createExtractor({ threads: 1, timeoutMs: TIME, memoryBytes: 16 * MEBI, textCharacters: 1000 * MEBI });
    const html = `<table><tr>${"<td>cell".repeat(500_000)}`;
    expect(await resultOf(html, "text/html", tiny)).toEqual(tooLarge("memoryBytes"));
    expect(await resultOf("alive", "text/plain", tiny)).toBe("alive");
    await tiny.close();
  });

  it("keeps the event loop free while a thread reads", async () => {
    const reader = createExtractor({ threads: 1, timeoutMs: TIME });
    const stop = new AbortController();
    const document = { name: "it", mime_type: TYPES.pdf, bytes: manyPages };
    let isRead = false;
    const reading = reader.extract(document, { text: true, images: false }, { signal: stop.signal }).finally(() => {
      isRead = true;
    });
    for (let turns = 0; turns < 100; turns++) await turn();
    expect(isRead).toBe(false);
    stop.abort();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
    await reader.close();
  });

  it("cancels reads on abort and on close", async () => {
    const reader = createExtractor({ threads: 1, timeoutMs: TIME });
    const stop = new AbortController();
    const document = { name: "it", mime_type: TYPES.pdf, bytes: manyPages };
    const wanted = { text: true, images: false };
    const first = reader.extract(document, wanted, { signal: stop.signal });
    const waiting = reader.extract(document, wanted, { signal: stop.signal });
    const next = resultOf("next", "text/plain", reader);
    for (let turns = 0; turns < 100; turns++) await turn();
    stop.abort();
    await expect(first).rejects.toMatchObject({ name: "AbortError" });
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    expect(await next).toBe("next");
    const canceled = [reader.extract(document, wanted), reader.extract(document, wanted)];
    const settled = Promise.allSettled(canceled);
    await reader.close();
    const reason = expect.objectContaining({ code: "canceled" });
    expect(await settled).toEqual([1, 2].map(() => ({ status: "rejected", reason })));
    await expect(reader.extract(document, wanted)).rejects.toMatchObject({ code: "canceled" });
  });
});
