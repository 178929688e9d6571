/** Reads what stands in a page, in a world of its own that the page's scripts cannot reach. */
import type { BrowserContext, Page } from "playwright-core";

export type Reading =
  | { readonly html: string; readonly title: string; readonly url: string }
  | { readonly characters: number };

/** Characters of a title that are given. */
const TITLE = 1_000;
/** A page that goes on to another while it is read is read again. */
const TRIES = 5;

export async function readPage(context: BrowserContext, page: Page, most: number): Promise<Reading> {
  const session = await context.newCDPSession(page);
  const expression = `(${reader})(${most}, ${TITLE})`;
  for (let tries = 1; ; tries++) {
    try {
      const { frameTree } = await session.send("Page.getFrameTree");
      const world = { frameId: frameTree.frame.id, worldName: "reader" };
      const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", world);
      const { result } = await session.send("Runtime.evaluate", { expression, contextId, returnByValue: true });
      return result.value;
    } catch (error) {
      if (tries === TRIES) throw error;
      await page.waitForLoadState("domcontentloaded");
    }
  }
}

/** Sent as text. By the getters themselves: elements with such names would stand in their place. */
const reader = `(most, title) => {
  const read = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  const root = read("documentElement");
  const type = read("doctype");
  const html = (type ? "<!DOCTYPE " + type.name + ">\\n" : "") + (root ? root.outerHTML : "");
  if (html.length > most) return { characters: html.length };
  return { html, title: read("title").slice(0, title), url: location.href };
}`;
