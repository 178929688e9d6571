/** Finds what a reader of a page came for, and writes it as Markdown. */
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";
import { ExtractError } from "../../src/ports/extractor.ts";

/** Elements at the most: a page of 10 MB that is made of the shortest ones has ten times as many, and takes minutes. */
const MOST_ELEMENTS = 100_000;
/** As many as browsers make of HTML. */
const MOST_DEPTH = 512;
/** What makes a block of the element that it is in. */
const BLOCK = "p, div, section, article, h1, h2, h3, h4, h5, h6, ul, ol, table, pre, blockquote, figure";
/** Never read, in pages where nothing is found that looks like an article. */
const UNREAD = "script, style, noscript, template, svg, iframe, object, nav, header, footer, aside, form";
const WEB = /^(https?|mailto|tel):/i;

/**
 * @param url Where the page stands.
 * @throws ExtractError `too_large`
 */
export function articleOf(html: string, url: string | undefined): string {
  const { document } = parse(html);
  refuseExcess(document);
  callBlocksDivisions(document);
  const base = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  const body = contentOf(document) ?? withoutUnread(document);
  complete(body, absolute(base, url) ?? url);
  return turndown().turndown(body).trim();
}

/** The libraries recurse, and take long for what no author writes. */
function refuseExcess(document: Document): void {
  const depths = new Map<Element | null, number>();
  for (const element of document.getElementsByTagName("*")) {
    const depth = (depths.get(element.parentElement) ?? 0) + 1;
    depths.set(element, depth);
    if (depth > MOST_DEPTH)
      throw new ExtractError("too_large", `its elements are nested deeper than ${MOST_DEPTH} levels`);
    if (depths.size > MOST_ELEMENTS) throw new ExtractError("too_large", `it has more than ${MOST_ELEMENTS} elements`);
  }
}

/** Elements that a page defines for itself are nothing to the libraries, which go by names. */
function callBlocksDivisions(document: Document): void {
  const blocks = new Set<Element>();
  for (const block of document.querySelectorAll(BLOCK)) {
    for (let one = block.parentElement; one !== null && !blocks.has(one); one = one.parentElement) blocks.add(one);
  }
  for (const element of document.querySelectorAll("*")) {
    if (element.localName === "slot") replaceWithChildren(element);
    if (!element.localName.includes("-") || !blocks.has(element)) continue;
    const division = document.createElement("div");
    element.before(division);
    for (const child of [...element.childNodes]) division.append(child);
    element.remove();
  }
}

/** One by one: a page may have more children than a call takes arguments. */
function replaceWithChildren(element: Element): void {
  for (const child of [...element.childNodes]) element.before(child);
  element.remove();
}

function contentOf(document: Document): HTMLElement | null {
  // Readability takes apart what it is given.
  const article = new Readability(parse(document.toString()).document, { keepClasses: true }).parse();
  if (article?.content == null) return null;
  return parse(`<!doctype html><html><body>${article.content}</body></html>`).document.body;
}

function withoutUnread(document: Document): HTMLElement {
  for (const element of document.querySelectorAll(UNREAD)) element.remove();
  return document.body;
}

/** Links lead somewhere wherever the text is read; images that stand in the page itself are no text. */
function complete(body: HTMLElement, base: string | undefined): void {
  for (const link of body.querySelectorAll("a[href]")) {
    const target = absolute(link.getAttribute("href") ?? "", base);
    if (target !== undefined && WEB.test(target)) link.setAttribute("href", target);
    else link.removeAttribute("href");
  }
  for (const image of body.querySelectorAll("img")) {
    const source = absolute(image.getAttribute("src") ?? "", base);
    if (source !== undefined && WEB.test(source)) image.setAttribute("src", source);
    else image.remove();
  }
}

function absolute(address: string, base: string | undefined): string | undefined {
  return URL.canParse(address, base) ? new URL(address, base).href : undefined;
}

function turndown(): TurndownService {
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  service.remove(["title", "script", "style"]);
  const bare = (content: string) => content;
  service.addRule("cell", { filter: ["td", "th"], replacement: (content) => ` ${oneLine(content)} |` });
  service.addRule("row", { filter: "tr", replacement: (content, row) => rowOf(content, row) });
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: bare });
  service.addRule("table", { filter: "table", replacement: (content) => `\n\n${content.trim()}\n\n` });
  return service;
}

function oneLine(content: string): string {
  return content
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ")
    .replaceAll("|", "\\|");
}

/** Under the first, what makes it a table to Markdown; a row of one cell is a frame, and no table. */
function rowOf(content: string, row: TurndownService.Node): string {
  const cells = [...row.childNodes].filter(({ nodeName }) => /^T[DH]$/i.test(nodeName)).length;
  if (cells <= 1) return `\n${content.replace(/ \|$/, "").trim()}\n`;
  const isFirst = "closest" in row && row.closest("table")?.querySelector("tr") === row;
  return `|${content}\n${isFirst ? `|${" --- |".repeat(cells)}\n` : ""}`;
}

/** What has no root element gets one: without it, the parser puts nothing into the body. */
function parse(html: string): { document: Document } {
  return parseHTML(/<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`);
}
