/** Small documents that expand: reading is limited by counts, not only by time. */
import { afterAll, describe, expect, it } from "vitest";
import { createExtractor } from "../../adapters/extract/extractor.ts";
import { ExtractError } from "../../src/ports/extractor.ts";
import * as hostile from "../support/files/hostile-documents.ts";

const { TYPES } = hostile;
/** With so much time, only a count can end the work within the time limit of the test. */
const extractor = createExtractor({ threads: 1, timeoutMs: 600_000, textCharacters: 100_000, items: 100_000 });
afterAll(() => extractor.close());

/** The number of characters, or the name of the exceeded limit. */
async function result(bytes: Uint8Array, mime_type: string, reader = extractor): Promise<number | string | undefined> {
  try {
    const found = await reader.extract({ name: "it", mime_type, bytes }, { text: true, images: true });
    return found.text?.length;
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
    return error.limit;
  }
}

const LONG = "x".repeat(100_000);
const spreadsheet = (rows: string) =>
  hostile.odf(`<document><spreadsheet><table name="T">${rows}</table></spreadsheet></document>`);
const repeated = (cell: string, rows = 2_000_000_000) =>
  `<table-row number-rows-repeated="${rows}"><table-cell number-columns-repeated="16384"><p>${cell}</p></table-cell></table-row>`;
const rows = (cell: string, count: number) =>
  `<worksheet><sheetData>${`<row>${cell}</row>`.repeat(count)}</sheetData></worksheet>`;

describe("a small document that expands", () => {
  it.each<[string, () => Promise<Uint8Array>, string, number | string]>([
    ["an ODS of blank cells in repeated rows and columns", () => spreadsheet(repeated("<s/>")), TYPES.ods, 4],
    ["an ODS of cells in repeated rows and columns", () => spreadsheet(repeated("x")), TYPES.ods, "textCharacters"],
    ["an ODS of a long cell that is repeated", () => spreadsheet(repeated(LONG, 1)), TYPES.ods, "textCharacters"],
    [
      "an ODT of empty cells in repeated rows and columns",
      () => hostile.odf(`<document><table>${repeated("")}</table></document>`),
      TYPES.odt,
      "textCharacters",
    ],
    [
      "an ODT of spaces that are repeated",
      () => hostile.odf(`<document><p>${'<s c="1000000000"/>'.repeat(10_000)}</p></document>`),
      TYPES.odt,
      "textCharacters",
    ],
    [
      "an XLSX of cells in the last column",
      () => hostile.xlsx(rows('<c r="XFD1"><v>1</v></c>', 10_000)),
      TYPES.xlsx,
      "items",
    ],
    [
      "an XLSX of empty cells in the last column",
      () => hostile.xlsx(rows('<c r="XFD1"/>', 10_000)),
      TYPES.xlsx,
      "items",
    ],
    ["an XLSX of more elements than are read", () => hostile.xlsx(rows("<c/>", 60_000)), TYPES.xlsx, "items"],
    [
      "an XLSX whose cells name one long text",
      () =>
        hostile.xlsxWithStrings(
          `<worksheet><row>${'<c t="s"><v>0</v></c>'.repeat(16_384)}</row></worksheet>`,
          `<sst><si><t>${LONG}</t></si></sst>`,
        ),
      TYPES.xlsx,
      "textCharacters",
    ],
    [
      "HTML of more elements than are read",
      async () => new TextEncoder().encode("<b></b>".repeat(100_001)),
      "text/html",
      "items",
    ],
    [
      "a mail of more parts than are read",
      async () => new TextEncoder().encode(hostile.mailOfParts(10_001)),
      "message/rfc822",
      "items",
    ],
  ])("is read within its limits: %s", async (_, make, type, expected) => {
    expect(await result(await make(), type)).toBe(expected);
  });

  it("is rejected when it is a ZIP archive with 60,000 entries", async () => {
    const usual = createExtractor({ threads: 1, timeoutMs: 600_000 });
    expect(await result(hostile.zipOfEntries(60_000), TYPES.odt, usual)).toBe("items");
    await usual.close();
  });

  it("reads a slide once when a presentation shows it many times", async () => {
    const parts = { "ppt/s.xml": "<sld><sp><p><t>once</t></p></sp></sld>" };
    const zip = await hostile.pptx('<sldId r:id="r0"/>'.repeat(20_000), parts);
    expect(await result(zip, TYPES.pptx)).toBe("## Slide 1\n\nonce".length);
  });
});
