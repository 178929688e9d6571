/** ODT, ODS and ODP, which share one XML vocabulary. OpenDocument 1.3 part 3. */
import { type Archive, encrypted, openArchive } from "../archive.ts";
import type { Extraction, Format } from "../format-types.ts";
import { baseName } from "../office-relationships.ts";
import { createTextWriter, type TextWriter } from "../text-writer.ts";
import { type Attributes, attribute, readXml } from "../xml.ts";

const CONTENT = "content.xml";
/** Elements whose content is not visible. */
const HIDDEN_TAGS = new Set([
  "tracked-changes",
  "annotation",
  "forms",
  "scripts",
  "master-styles",
  "desc",
  "title",
  "note-citation",
  "page-number",
]);
/** Width of the largest spreadsheets. Limits a row that repeats one cell. */
const MAX_COLUMNS = 16_384;

interface Table {
  readonly isSheet: boolean;
  rows: number;
  cells: string[];
  repeat: number;
  repeatRow: number;
  cell: TextWriter | null;
}

export const extractOpenDocument: Format = async ({ bytes }, extraction) => {
  const archive = await openArchive(bytes, extraction);
  await refuseEncrypted(archive);
  const pictures = new Set<string>();
  await readXml(archive, CONTENT, contentEvents(extraction, pictures));
  if (!extraction.request.images) return;
  for (const part of pictures) {
    if (archive.has(part)) await extraction.images.add(baseName(part), await archive.bytes(part));
  }
};

async function refuseEncrypted(archive: Archive): Promise<void> {
  if (!archive.has("META-INF/manifest.xml")) return;
  await readXml(archive, "META-INF/manifest.xml", {
    open(name) {
      if (name === "encryption-data") throw encrypted();
    },
  });
}

function contentEvents({ request, text: out, budget }: Extraction, pictures: Set<string>) {
  const tables: Table[] = [];
  let hiddenDepth = 0;
  let lists = 0;
  let slides = 0;
  let notes = 0;
  let isSpreadsheet = false;
  /** Depth of open paragraphs and headings, the only elements that contain text. */
  let paragraphs = 0;
  const writer = () => tables.at(-1)?.cell ?? out;

  function open(name: string, attributes: Attributes): void {
    if (hiddenDepth > 0 || HIDDEN_TAGS.has(name)) hiddenDepth++;
    else if (name === "image") picture(attributes);
    else if (request.text) (opening[name] ?? nothing)(attributes);
  }

  function close(name: string): void {
    if (hiddenDepth > 0) hiddenDepth--;
    else if (request.text) (closing[name] ?? nothing)();
  }

  function picture(attributes: Attributes): void {
    const place = attribute(attributes, "href");
    if (place !== undefined) pictures.add(place.replace(/^\.\//, ""));
  }

  function paragraph(prefix: string): void {
    if (paragraphs++ > 0 || notes > 0) {
      writer().text(" ");
      return;
    }
    writer().gap(lists > 0 || writer() !== out ? 1 : 2);
    writer().prefix(prefix);
  }

  function endParagraph(): void {
    if (--paragraphs > 0 || notes > 0) return;
    writer().gap(lists > 0 || writer() !== out ? 1 : 2);
    writer().dropPrefix();
  }

  function openTable(attributes: Attributes): void {
    const isSheet = isSpreadsheet && tables.length === 0;
    out.gap(2);
    if (isSheet) out.verbatim(`## ${attribute(attributes, "name") ?? ""}`);
    out.gap(2);
    tables.push({ isSheet, rows: 0, cells: [], repeat: 1, repeatRow: 1, cell: null });
  }

  function closeCell(): void {
    const table = tables.at(-1);
    if (table?.cell == null) return;
    const written = table.cell.result();
    const text = written.trim();
    const repeat = Math.min(table.repeat, MAX_COLUMNS - table.cells.length);
    budget.spend(repeat);
    budget.take(text.length * repeat - written.length);
    table.cell = null;
    for (let i = 0; i < repeat; i++) table.cells.push(text);
  }

  function closeRow(): void {
    const table = tables.at(-1);
    if (table === undefined) return;
    budget.take(-table.cells.reduce((size, cell) => size + cell.length, 0));
    while (table.isSheet && table.cells.at(-1) === "") table.cells.pop();
    if (table.cells.length === 0) return;
    for (let i = 0; i < table.repeatRow; i++) {
      budget.spend(table.cells.length);
      out.row(table.cells, table.isSheet ? "tab" : "pipe");
    }
    if (!table.isSheet && ++table.rows === 1)
      out.row(
        table.cells.map(() => "---"),
        "pipe",
      );
  }

  const openCell = (attributes: Attributes) => {
    const table = tables.at(-1);
    if (table === undefined) return;
    table.repeat = Number(attribute(attributes, "number-columns-repeated") ?? 1) || 1;
    table.cell = createTextWriter(budget);
  };
  const opening: Readonly<Record<string, (attributes: Attributes) => void>> = {
    spreadsheet: () => {
      isSpreadsheet = true;
    },
    h: (attributes) =>
      paragraph(`${"#".repeat(Math.min(6, Number(attribute(attributes, "outline-level") ?? 1) || 1))} `),
    p: () => paragraph(""),
    s: (attributes) => writer().verbatim(" ".repeat(Math.min(1000, Number(attribute(attributes, "c") ?? 1) || 1))),
    tab: () => writer().verbatim("\t"),
    "line-break": () => writer().lineBreak(),
    list: () => void lists++,
    "list-item": () => {
      writer().gap(1);
      writer().dropPrefix(); // prefix of an item that contains only a list
      writer().prefix(`${"  ".repeat(Math.min(10, lists - 1))}- `);
    },
    table: openTable,
    "table-row": (attributes) => {
      const table = tables.at(-1);
      if (table === undefined) return;
      table.cells = [];
      table.repeatRow = Number(attribute(attributes, "number-rows-repeated") ?? 1) || 1;
    },
    "table-cell": openCell,
    "covered-table-cell": openCell,
    note: () => {
      writer().text(" [note:");
      notes++;
    },
    page: () => {
      out.gap(2);
      out.verbatim(`## Slide ${++slides}`);
      out.gap(2);
    },
    notes: () => {
      out.gap(2);
      out.prefix("Notes: ");
    },
  };
  const closing: Readonly<Record<string, () => void>> = {
    h: endParagraph,
    p: endParagraph,
    list: () => {
      lists--;
      if (lists === 0) writer().gap(2);
    },
    "list-item": () => writer().dropPrefix(),
    table: () => {
      tables.pop();
      out.gap(2);
    },
    "table-row": closeRow,
    "table-cell": closeCell,
    "covered-table-cell": closeCell,
    note: () => {
      notes--;
      writer().text("]");
    },
    notes: () => out.dropPrefix(),
  };
  return {
    open,
    close,
    text(piece: string) {
      if (request.text && hiddenDepth === 0 && paragraphs > 0) writer().text(piece);
    },
  };
}

function nothing(): void {}
