/** Converts errors of Playwright, the network and the limits to messages for authors of steps. */
import { systemErrorCode } from "../../src/errors.ts";
import { BrowserError } from "../../src/ports/browser.ts";
import type { BrowserLimits } from "./limits.ts";

/** The stage of the visit at which it failed. */
export type Stage = "opening" | "waiting" | "reading";

export interface FailedVisit {
  readonly url: string;
  readonly selector: string | undefined;
  readonly stage: Stage;
  /** Why the connection for the page failed, if it did. */
  readonly connection: unknown;
  readonly limits: BrowserLimits;
}

export function failureOf(error: unknown, visit: FailedVisit): BrowserError {
  if (error instanceof BrowserError) return error;
  const name = nameOf(visit.url);
  const message = error instanceof Error ? error.message : String(error);
  if (/page crashed/i.test(message)) return new BrowserError("page_crashed", `${name} crashed.`, error);
  if (/has been closed|target closed|browser closed/i.test(message)) return browserDiedError(error);
  if (error instanceof Error && error.name === "TimeoutError") return late(visit);
  if (visit.stage === "waiting")
    return new BrowserError("invalid", `${shown(visit.selector)} is not a valid CSS selector.`, error);
  if (/download is starting|net::ERR_ABORTED/i.test(message)) {
    return new BrowserError(
      "unsupported_content",
      `${name} responded with a download or an empty response instead of a web page.`,
    );
  }
  if (visit.stage === "reading" && !/net::/.test(message)) {
    return new BrowserError("timeout", `${name} could not be read: it keeps navigating to another page.`, error);
  }
  const reason =
    systemErrorCode(visit.connection) ?? /net::(ERR_[A-Z_]+)/.exec(message)?.[1] ?? "the connection was interrupted";
  return new BrowserError("fetch_failed", `${name} could not be opened: ${reason}.`, error);
}

function late({ url, selector, stage, limits }: FailedVisit): BrowserError {
  if (stage !== "waiting") return timeoutError(url, limits);
  return new BrowserError(
    "selector_not_found",
    `${nameOf(url)} had no element that matches ${shown(selector)} within ${limits.timeoutMs} ms.`,
  );
}

export function timeoutError(url: string, { timeoutMs }: BrowserLimits): BrowserError {
  return new BrowserError("timeout", `${nameOf(url)} did not finish loading within ${timeoutMs} ms.`);
}

export function trafficError(url: string, { trafficBytes }: BrowserLimits): BrowserError {
  return new BrowserError("too_large", `${nameOf(url)} exceeds the traffic limit of ${trafficBytes} bytes.`);
}

export function contentError(url: string, characters: number, { contentCharacters }: BrowserLimits): BrowserError {
  const sizes = `${characters} characters; the limit is ${contentCharacters}`;
  return new BrowserError("too_large", `${nameOf(url)} has ${sizes}.`);
}

export function crashError(url: string, wasEnded: boolean, { memoryBytes }: BrowserLimits): BrowserError {
  if (wasEnded)
    return new BrowserError("too_large", `${nameOf(url)} exceeds the memory limit of ${memoryBytes} bytes.`);
  return new BrowserError("page_crashed", `${nameOf(url)} crashed, possibly because it exceeded the memory limit.`);
}

export function unsupportedError(url: string, contentType: string): BrowserError {
  const type = JSON.stringify(contentType.slice(0, 100));
  return new BrowserError(
    "unsupported_content",
    `${nameOf(url)} responded with ${type}, which is neither a web page nor text.`,
  );
}

export function browserDiedError(cause?: unknown): BrowserError {
  return new BrowserError("browser_died", "The browser exited while the web page was open.", cause);
}

export function schemeError(url: string, to: string): BrowserError {
  const { protocol } = new URL(to);
  return new BrowserError(
    "unsupported_content",
    `${nameOf(url)} navigates to a ${protocol} URL, which is not a web page.`,
  );
}

/** Omits the path and query, which may contain secrets. */
export function nameOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

function shown(selector = ""): string {
  return JSON.stringify(selector.slice(0, 100));
}
