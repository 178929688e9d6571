/** Reads a page as it is sent, without running its scripts: what `browser` steps do where there is no browser. */
import { Parser } from "htmlparser2";
import type { Visited } from "../ports/browser.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import { StepError } from "./step-error.ts";

const MEBI = 1024 * 1024;
const MAX_BYTES = 10 * MEBI;
const TIMEOUT = 30_000;
/** Characters in which a title and the encoding are looked for. */
const HEAD = 64 * 1024;
/** Characters of a title that are given. */
const TITLE = 1_000;

const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const HTML = /^(text\/html|application\/xhtml\+xml)\b/i;
const TEXT = /^(text\/|application\/([\w.-]+\+)?(json|xml)\b)/i;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]+)/i;
const META = /<meta[^<>]+charset\s*=\s*["']?([\w.:-]+)/i;

/** Whether there is HTML behind a media type. */
export function isHtml(contentType: string): boolean {
  return HTML.test(contentType) || contentType === "";
}

/** @throws StepError `unsupported_content`; StepwellError as the guarded fetch does */
export async function fetchPage(fetch: GuardedFetch, address: string, signal: AbortSignal): Promise<Visited> {
  const limits = { timeout: TIMEOUT, max_bytes: MAX_BYTES };
  const { status, url, headers, body } = await fetch(address, { headers: { accept: ACCEPT }, signal, ...limits });
  const contentType = headers.get("content-type") ?? "";
  if (!isHtml(contentType) && !TEXT.test(contentType)) {
    await body?.cancel();
    const told = JSON.stringify(contentType.slice(0, 100));
    throw new StepError("unsupported_content", `${new URL(url).host} answers with ${told}, which is no page.`);
  }
  const content = decoded(new Uint8Array(await new Response(body).arrayBuffer()), contentType);
  const title = isHtml(contentType) ? titleOf(content.slice(0, HEAD)) : "";
  return { status, url, title, contentType, content, retryAfter: headers.get("retry-after") };
}

/** In the encoding of a byte order mark, of the header, of the document, or UTF-8: the order of the HTML standard. */
function decoded(bytes: Uint8Array, contentType: string): string {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD));
  const declared = isHtml(contentType) ? META.exec(start)?.[1] : undefined;
  const name = markOf(bytes) ?? CHARSET.exec(contentType)?.[1] ?? declared ?? "utf-8";
  const decoder = decoderOf(name);
  // In two calls, because Node 20 takes windows-1252 for latin1 when it is one.
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : undefined;
}

/** An encoding that nobody knows is none. */
function decoderOf(name: string): TextDecoder {
  try {
    return new TextDecoder(name);
  } catch {
    return new TextDecoder();
  }
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
  return (title ?? "").replace(/\s+/g, " ").trim().slice(0, TITLE);
}
