/** Fetches a web page without running its scripts. `browser` steps use this if the host has no browser. */
import { Parser } from "htmlparser2";
import { MEBIBYTE, readBytes } from "../../encoding/bytes.ts";
import { decodeText } from "../../encoding/decode-text.ts";
import { essenceOf, isTextType } from "../../encoding/text-types.ts";
import type { Visited } from "../../ports/browser.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";
import { StepError } from "../step-error.ts";

const MAX_BYTES = 10 * MEBIBYTE;
const TIMEOUT_MS = 30_000;
/** Number of characters searched for a title. */
const MAX_HEAD_CHARS = 64 * 1024;
/** Maximum length of a returned title, in characters. */
const MAX_TITLE_CHARS = 1_000;

const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const HTML = /^(text\/html|application\/xhtml\+xml)\b/i;
/** Whether a `Content-Type` means HTML. A missing one does too. */
export function isHtml(contentType: string): boolean {
  return HTML.test(contentType) || contentType === "";
}

/** @throws StepError `unsupported_content`, and StepwellError as the guarded fetch does. */
export async function fetchPage(fetch: GuardedFetch, address: string, signal: AbortSignal): Promise<Visited> {
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
  const { status, url, headers, body } = await fetch(address, { headers: { accept: ACCEPT }, signal, ...limits });
  const contentType = headers.get("content-type") ?? "";
  if (!isHtml(contentType) && !isTextType(essenceOf(contentType))) {
    await body?.cancel();
    const type = JSON.stringify(contentType.slice(0, 100));
    throw new StepError("unsupported_content", `${new URL(url).host} responded with ${type}, which is not a web page.`);
  }
  const content = decodeText(await readBytes(body), contentType || "text/html");
  if (content === null) {
    const message = `${new URL(url).host} responded with a web page that is not text or has an unknown encoding.`;
    throw new StepError("unsupported_content", message);
  }
  const title = isHtml(contentType) ? titleOf(content.slice(0, MAX_HEAD_CHARS)) : "";
  const retryAfter = headers.get("retry-after");
  return { status, url, title, contentType, content, retryAfter, headers: Object.fromEntries(headers) };
}

function titleOf(head: string): string {
  let title: string | undefined;
  let isOpen = false;
  const parser = new Parser({
    onopentagname(name) {
      isOpen = name === "title" && title === undefined;
    },
    ontext(text) {
      if (isOpen) title = (title ?? "") + text;
    },
    onclosetag(name) {
      if (name === "title") isOpen = false;
    },
  });
  parser.end(head);
  return (title ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_TITLE_CHARS);
}
