/** Extracts the main content of a web page as Markdown. */
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";
import { ExtractError } from "../../src/ports/extractor.ts";

/** Maximum number of elements. A page of 10 MB with the shortest elements has ten times as many and takes minutes. */
const MAX_ELEMENTS = 100_000;
/** Maximum nesting depth, the same as in browsers. */
const MAX_DEPTH = 512;
/** Selects elements that make their parent a block. */
const BLOCK = "p, div, section, article, h1, h2, h3, h4, h5, h6, ul, ol, table, pre, blockquote, figure";
/** Removed from pages in which no article is found. */
const IGNORED = "script, style, noscript, template, svg, iframe, object, nav, header, footer, aside, form";
const LINK_SCHEMES = /^(https?|mailto|tel):/i;

/**
 * @param url URL of the page.
 * @throws ExtractError `too_large`
 */
export function articleOf(html: string, url: string | undefined): string {
  const { document } = parse(html);
  checkLimits(document);
  replaceCustomElements(document);
  const base = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  const body = contentOf(document) ?? withoutIgnored(document);
  resolveUrls(body, absolute(base, url) ?? url);
  return turndown().turndown(body).trim();
}

/** Limits size and depth, because the libraries recurse and take long. */
function checkLimits(document: Document): void {
  const depths = new Map<Element | null, number>();
  for (const element of document.getElementsByTagName("*")) {
    const depth = (depths.get(element.parentElement) ?? 0) + 1;
    depths.set(element, depth);
    if (depth > MAX_DEPTH)
      throw new ExtractError("too_large", `its elements are nested deeper than ${MAX_DEPTH} levels`);
    if (depths.size > MAX_ELEMENTS) throw new ExtractError("too_large", `it has more than ${MAX_ELEMENTS} elements`);
  }
}

/** Replaces custom elements with `div`: the libraries know only standard names. */
function replaceCustomElements(document: Document): void {
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

/** Moves children one by one: there may be more than a call accepts arguments. */
function replaceWithChildren(element: Element): void {
  for (const child of [...element.childNodes]) element.before(child);
  element.remove();
}

function contentOf(document: Document): HTMLElement | null {
  // Readability modifies the document that it receives.
  const article = new Readability(parse(document.toString()).document, { keepClasses: true }).parse();
  if (article?.content == null) return null;
  return parse(`<!doctype html><html><body>${article.content}</body></html>`).document.body;
}

function withoutIgnored(document: Document): HTMLElement {
  for (const element of document.querySelectorAll(IGNORED)) element.remove();
  return document.body;
}

/** Makes links and images absolute. Removes images that are embedded as data URLs. */
function resolveUrls(body: HTMLElement, base: string | undefined): void {
  for (const link of body.querySelectorAll("a[href]")) {
    const target = absolute(link.getAttribute("href") ?? "", base);
    if (target !== undefined && LINK_SCHEMES.test(target)) link.setAttribute("href", target);
    else link.removeAttribute("href");
  }
  for (const image of body.querySelectorAll("img")) {
    const source = absolute(image.getAttribute("src") ?? "", base);
    if (source !== undefined && LINK_SCHEMES.test(source)) image.setAttribute("src", source);
    else image.remove();
  }
}

function absolute(address: string, base: string | undefined): string | undefined {
  return URL.canParse(address, base) ? new URL(address, base).href : undefined;
}

function turndown(): TurndownService {
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  service.remove(["title", "script", "style"]);
  const unchanged = (content: string) => content;
  service.addRule("cell", { filter: ["td", "th"], replacement: (content) => ` ${oneLine(content)} |` });
  service.addRule("row", { filter: "tr", replacement: (content, row) => rowOf(content, row) });
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: unchanged });
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

/** Adds the separator line after the first row. A row with a single cell is treated as a frame, not as a table. */
function rowOf(content: string, row: TurndownService.Node): string {
  const cells = [...row.childNodes].filter(({ nodeName }) => /^T[DH]$/i.test(nodeName)).length;
  if (cells <= 1) return `\n${content.replace(/ \|$/, "").trim()}\n`;
  const isFirst = "closest" in row && row.closest("table")?.querySelector("tr") === row;
  return `|${content}\n${isFirst ? `|${" --- |".repeat(cells)}\n` : ""}`;
}

/** Adds a root element if it is missing. Without one, the parser leaves the body empty. */
function parse(html: string): { document: Document } {
  return parseHTML(/<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`);
}
