/** XLSX: each sheet under its name, with one line per row, tabs between cells, and the last computed values. */
import { ExtractError } from "../../../src/ports/extractor.ts";
import { type Archive, openArchive } from "../archive.ts";
import type { Extraction, Format } from "../format-types.ts";
import { addImages, mainPart, relationsOf } from "../office-relationships.ts";
import { type Attributes, attribute, prefixed, readXml } from "../xml.ts";
import { dateFormats, dateText } from "./sheet-dates.ts";

interface Sheet {
  readonly name: string;
  readonly part: string;
}

interface Book {
  readonly sheets: readonly Sheet[];
  /** Shared strings, which cells refer to by index. */
  readonly strings: readonly string[];
  /** Whether cells with this style index contain dates. */
  readonly isDate: (style: string | undefined) => boolean;
  readonly startsIn1904: boolean;
}

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: string | undefined;
  value: string;
  formula: string;
}

/** XFD, the last possible column. */
const MAX_COLUMNS = 16_384;

export const extractSheets: Format = async ({ bytes }, extraction) => {
  const archive = await openArchive(bytes, extraction);
  const main = await mainPart(archive, "xl/workbook.xml");
  if (!archive.has(main)) throw new ExtractError("damaged", "it is a ZIP archive without a workbook");
  const book = await readBook(archive, main, extraction);
  for (const sheet of book.sheets) {
    if (!archive.has(sheet.part)) continue;
    if (extraction.request.text) await writeSheet(archive, sheet, book, extraction);
    if (!extraction.request.images) continue;
    for (const { type, target } of await relationsOf(archive, sheet.part)) {
      if (type === "drawing") await addImages(archive, target, extraction);
    }
  }
};

async function readBook(archive: Archive, main: string, { request, budget }: Extraction): Promise<Book> {
  const relations = await relationsOf(archive, main);
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const sheets = new Map<string, Sheet>();
  let startsIn1904 = false;
  await readXml(archive, main, {
    open(name, attributes) {
      if (name === "workbookPr") startsIn1904 = /^(1|true)$/.test(attributes["date1904"] ?? "");
      if (name !== "sheet") return;
      const part = targets.get(prefixed(attributes, "id") ?? "");
      if (part !== undefined && !sheets.has(part)) sheets.set(part, { name: attributes["name"] ?? "", part });
    },
  });
  const partOf = (kind: string) => relations.find(({ type, target }) => type === kind && archive.has(target))?.target;
  const strings = partOf("sharedStrings");
  const styles = partOf("styles");
  return {
    sheets: [...sheets.values()],
    strings: request.text && strings !== undefined ? await readStrings(archive, strings, budget) : [],
    isDate: request.text && styles !== undefined ? await dateFormats(archive, styles) : () => false,
    startsIn1904,
  };
}

async function readStrings(archive: Archive, part: string, budget: Extraction["budget"]): Promise<string[]> {
  const strings: string[] = [];
  const item = itemReader();
  let size = 0;
  await readXml(archive, part, {
    open: item.open,
    text: item.text,
    close(name) {
      item.close(name);
      if (name !== "si") return;
      const text = item.take();
      size += text.length;
      budget.take(text.length);
      strings.push(text);
    },
  });
  budget.take(-size);
  return strings;
}

/** Reads rich text: all runs, without phonetic hints. */
function itemReader() {
  let text = "";
  let isText = false;
  let phonetic = 0;
  return {
    open(name: string): void {
      if (name === "rPh") phonetic++;
      isText = name === "t" && phonetic === 0;
    },
    text(piece: string): void {
      if (isText) text += piece;
    },
    close(name: string): void {
      if (name === "rPh") phonetic--;
      isText = false;
    },
    take(): string {
      const taken = text;
      text = "";
      return taken;
    },
  };
}

async function writeSheet(archive: Archive, sheet: Sheet, book: Book, { text, budget }: Extraction): Promise<void> {
  const item = itemReader();
  let row: string[] = [];
  let next = 0;
  let cell: Cell | null = null;
  let inside = "";
  /** Characters in the current row. */
  let size = 0;
  text.gap(2);
  text.verbatim(`## ${sheet.name}`);
  text.gap(2);

  function open(name: string, attributes: Attributes): void {
    inside = name;
    item.open(name);
    if (name === "row") {
      row = [];
      next = 0;
    } else if (name === "c") {
      const column = columnOf(attribute(attributes, "r")) ?? next;
      next = column + 1;
      cell = { column, type: attributes["t"] ?? "n", style: attributes["s"], value: "", formula: "" };
    }
  }

  function close(name: string): void {
    item.close(name);
    inside = "";
    if (name === "row") {
      budget.take(-size);
      size = 0;
      while (row.at(-1) === "") row.pop();
      if (row.length > 0) text.row(row, "tab");
    } else if (name === "c" && cell !== null) {
      budget.spend(Math.max(0, cell.column - row.length));
      while (row.length < cell.column) row.push("");
      const value = shown(cell, item.take(), book);
      size += value.length;
      budget.take(value.length); // a million cells may refer to the same long string
      row[cell.column] = value;
      cell = null;
    }
  }

  await readXml(archive, sheet.part, {
    open,
    close,
    text(piece) {
      item.text(piece);
      if (cell === null) return;
      if (inside === "v") cell.value += piece;
      if (inside === "f") cell.formula += piece;
    },
  });
}

function shown(cell: Cell, inline: string, book: Book): string {
  const { type, value } = cell;
  if (type === "s") return book.strings[Number(value)] ?? "";
  if (type === "inlineStr") return inline;
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (value === "") return cell.formula === "" ? "" : `=${cell.formula}`;
  if (type !== "n") return value;
  const number = Number(value);
  if (Number.isNaN(number)) return value;
  if (book.isDate(cell.style)) return dateText(number, book.startsIn1904);
  // Spreadsheets compute and display 15 significant digits, so 0.1 + 0.2 is shown as 0.3.
  return String(Number(number.toPrecision(15)));
}

/** Column index of a reference such as "BC12", from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return Math.min(column, MAX_COLUMNS) - 1;
}
