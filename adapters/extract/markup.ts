/** Writes the visible content of HTML as text, with headings, lists and tables in Markdown. */
import { Parser } from "htmlparser2";
import { ExtractError } from "../../src/ports/extractor.ts";
import { type Budget, createTextWriter, type TextWriter } from "./text-writer.ts";

const HIDDEN_TAGS = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "head",
  "object",
  "iframe",
  "svg",
  "canvas",
  "datalist",
]);
const BLOCK_TAGS = new Set(["p", "table", "blockquote", "pre", "figure", "section", "article", "dl", "fieldset", "hr"]);
const LINE_TAGS = new Set(
  "address aside caption center dd details div dt figcaption footer form header legend main nav option select summary".split(
    " ",
  ),
);
/** Maximum nesting depth. Higher than the 512 of browsers, because old pages contain elements that are never closed. */
const MAX_DEPTH = 5000;
/** Inputs with a checked state. */
const CHECKABLE_TYPES = new Set(["checkbox", "radio"]);
const HEADING = /^h([1-6])$/;

interface List {
  readonly isOrdered: boolean;
  count: number;
}

interface Table {
  /** Whether the table is used for layout. Its cells are then written as blocks. */
  isLayout: boolean;
  rows: number;
  cells: string[];
  /** Writer of the open cell, if any. */
  cell: TextWriter | null;
}

export function writeHtml(html: string, out: TextWriter, budget: Budget): void {
  const lists: List[] = [];
  const tables: Table[] = [];
  let depth = 0;
  let hiddenDepth = 0;
  let preformatted = 0;
  const writer = () => tables.at(-1)?.cell ?? out;

  /** Treats the outer table as layout, because one of its cells contains a table. */
  function flatten(): void {
    const outer = tables.at(-1);
    if (outer === undefined || outer.isLayout) return;
    outer.isLayout = true;
    takeCell(outer);
    const { cells } = outer;
    outer.cells = [];
    for (const cell of cells) block(cell);
  }

  function block(text: string): void {
    out.gap(1);
    out.verbatim(text);
    out.gap(1);
  }

  function openRow(): void {
    closeRow();
    if (tables.at(-1)?.isLayout !== false) writer().gap(1);
  }

  function closeCell(): void {
    const table = tables.at(-1);
    if (table?.isLayout) out.gap(1);
    else if (table !== undefined) takeCell(table);
  }

  /** Finishes a cell. Its text is counted again when the row is written. */
  function takeCell(table: Table): void {
    if (table.cell === null) return;
    const text = table.cell.result();
    budget.take(-text.length);
    table.cells.push(text);
    table.cell = null;
  }

  function closeRow(): void {
    closeCell();
    const table = tables.at(-1);
    if (table === undefined || table.cells.length === 0) return;
    const { cells } = table;
    table.cells = [];
    if (cells.length === 1) block(cells[0] ?? "");
    if (cells.length === 1) return;
    out.row(cells, "pipe");
    if (++table.rows === 1) out.verbatim(`|${" --- |".repeat(cells.length)}`);
    out.gap(1);
  }

  function openItem(): void {
    const list = lists.at(-1);
    writer().gap(1);
    const marker = list?.isOrdered ? `${++list.count}.` : "-";
    writer().prefix(`${"  ".repeat(Math.min(10, Math.max(0, lists.length - 1)))}${marker} `);
  }

  function open(name: string, attributes: Readonly<Record<string, string>>): void {
    const heading = HEADING.exec(name);
    if (heading !== null) {
      writer().gap(2);
      writer().prefix(`${"#".repeat(Number(heading[1]))} `);
    } else if (name === "table") {
      flatten();
      out.gap(2);
      tables.push({ isLayout: attributes["role"] === "presentation", rows: 0, cells: [], cell: null });
    } else if (name === "tr") openRow();
    else if (name === "td" || name === "th") {
      closeCell();
      const table = tables.at(-1);
      if (table?.isLayout === false) table.cell = createTextWriter(budget);
    } else if (name === "ul" || name === "ol") {
      writer().gap(lists.length === 0 ? 2 : 1);
      lists.push({ isOrdered: name === "ol", count: 0 });
    } else if (name === "li") openItem();
    else if (name === "br") writer().lineBreak();
    else if (name === "img" && attributes["alt"]?.trim()) writer().text(`[image: ${attributes["alt"].trim()}]`);
    else if (name === "input" && CHECKABLE_TYPES.has(attributes["type"]?.toLowerCase() ?? "")) {
      writer().text(attributes["checked"] === undefined ? "[ ] " : "[x] ");
    } else boundary(name);
    if (name === "pre") preformatted++;
    if (name === "hr") writer().verbatim("---");
  }

  function close(name: string): void {
    if (name === "table") {
      closeRow();
      tables.pop();
      out.gap(2);
    } else if (name === "tr") closeRow();
    else if (name === "td" || name === "th") closeCell();
    else if (name === "ul" || name === "ol") {
      lists.pop();
      writer().gap(lists.length === 0 ? 2 : 1);
    } else if (name === "li") writer().gap(1);
    else if (HEADING.test(name)) writer().gap(2);
    else boundary(name);
    if (name === "pre") preformatted--;
  }

  function boundary(name: string): void {
    // A paragraph in a list item stays on the item's line.
    if (name === "p" && lists.length > 0) writer().gap(1);
    else if (BLOCK_TAGS.has(name)) writer().gap(2);
    else if (LINE_TAGS.has(name)) writer().gap(1);
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      budget.spend(1);
      if (++depth > MAX_DEPTH) {
        throw new ExtractError("damaged", `its elements are nested deeper than ${MAX_DEPTH} levels`);
      }
      if (hiddenDepth > 0 || HIDDEN_TAGS.has(name) || isHidden(attributes)) hiddenDepth++;
      else open(name, attributes);
    },
    ontext(text) {
      if (hiddenDepth > 0) return;
      if (preformatted > 0) writer().verbatim(text);
      else writer().text(text);
    },
    onclosetag(name) {
      depth--;
      if (hiddenDepth > 0) hiddenDepth--;
      else close(name);
    },
  });
  for (let at = 0; at < html.length; at += PIECE_CHARS) parser.write(html.slice(at, at + PIECE_CHARS));
  parser.end();
}

const PIECE_CHARS = 256 * 1024;

function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  return attributes["hidden"] !== undefined || /display\s*:\s*none/i.test(attributes["style"] ?? "");
}
