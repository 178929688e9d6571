/** Performs one visit in a separate context with a separate proxy. */
import type { BrowserContext, Page, Response } from "playwright-core";
import { isStepwellError } from "../../src/errors.ts";
import type { Visit, Visited } from "../../src/ports/browser.ts";
import { unlessAborted } from "../../src/time/unless-aborted.ts";
import type { BrowserProcess } from "./browser-process.ts";
import * as failure from "./errors.ts";
import type { BrowserLimits } from "./limits.ts";
import { followMain, type MainDocument } from "./main-document.ts";
import type { PageReading } from "./page-script.ts";
import { readPage } from "./read-page.ts";
import { openSocksProxy, type Resolve, type SocksProxy } from "./socks-proxy.ts";

export interface VisitParts {
  readonly instance: BrowserProcess;
  readonly limits: BrowserLimits;
  readonly resolve: Resolve;
  /** Called once the page is closed, possibly after the visit has ended. */
  onClosed(): void;
}

const WEB = /^https?:/;
const HTML = /^(text\/html|application\/xhtml\+xml)\b/i;
/** Schemes for which a browser with a window asks for a password. */
const HTTP_AUTH_SCHEME = /^(basic|digest|ntlm)\b/i;
const NOT_OPENED = "the page that it navigates to could not be opened";
const TEXT = /^(text\/|application\/([\w.-]+\+)?(json|xml)\b|$)/i;
/** Milliseconds after the time limit in which the page can still be read. */
const READ_GRACE_MS = 1_000;
/**
 * Milliseconds to wait for a page to close, if shorter than the time limit. Afterwards the browser is considered hung.
 */
const CLOSE_TIMEOUT_MS = 5_000;

export async function runVisit(visit: Visit, parts: VisitParts): Promise<Visited> {
  const { limits, resolve } = parts;
  const stop = new AbortController();
  const end = (reason: unknown) => stop.abort(reason);
  const { url, permitted, signal } = visit;
  const aborted = () => end(signal.reason);
  signal.addEventListener("abort", aborted, { once: true });
  if (signal.aborted) aborted();
  const timer = setTimeout(() => end(failure.timeoutError(url, limits)), limits.timeoutMs + READ_GRACE_MS);
  const onTrafficExceeded = () => end(failure.trafficError(url, limits));

  const opening = openSocksProxy({ permitted, resolve, traffic: limits.trafficBytes, onTrafficExceeded });
  const context = opening.then((tunnel) => openContext(parts.instance, tunnel));
  try {
    const work = Promise.all([opening, context]).then(([tunnel, own]) => open(visit, { ...parts, tunnel, own, end }));
    return await unlessAborted(work, stop.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", aborted);
    void opening.then((tunnel) => tunnel.close()).catch(() => undefined); // `work` has reported the error
    // Closing the context ends a page that keeps running. If the context doesn't close, the browser is killed.
    const hanging = setTimeout(() => parts.instance.kill(), Math.min(CLOSE_TIMEOUT_MS, limits.timeoutMs));
    void context
      .then((own) => own.close())
      .catch(() => undefined)
      .finally(() => {
        clearTimeout(hanging);
        parts.onClosed();
      });
  }
}

interface OpenParts extends VisitParts {
  readonly tunnel: SocksProxy;
  readonly own: BrowserContext;
  end(reason: unknown): void;
}

async function open(visit: Visit, { instance, tunnel, own, limits, end }: OpenParts): Promise<Visited> {
  const { url, waitForSelector: selector } = visit;
  const start = Date.now();
  const left = () => Math.max(1, limits.timeoutMs - (Date.now() - start));
  let stage: failure.Stage = "opening";
  let main: MainDocument | undefined;
  try {
    const page = await own.newPage();
    main = followMain(page);
    blockPopups(page, own);
    page.on("crash", () => end(failure.crashError(url, instance.memory.hasEnded(), limits)));
    await page.goto(url, { waitUntil: "commit", timeout: left() });
    const { contentType, isOk } = await readHead(url, main);
    if (!HTML.test(contentType) && !TEXT.test(contentType)) throw failure.unsupportedError(url, contentType);
    const isParsed = await waitUntilParsed(page, left());
    if (isOk && selector !== undefined) {
      stage = "waiting";
      await page.waitForSelector(`css=${selector}`, { state: "attached", timeout: left() });
    } else if (isOk && isParsed && HTML.test(contentType))
      await waitUntilSettled(page, Math.min(limits.settleMs, left()));
    stage = "reading";
    const reading = await readPage(own, page, limits.contentCharacters);
    if (WEB.test(reading.url)) return await visitedOf(url, reading, main, limits);
    if (!reading.url.startsWith("chrome-error:")) throw failure.schemeError(url, reading.url);
    stage = "opening"; // the page's scripts navigated to a URL that failed
    throw new Error(NOT_OPENED);
  } catch (error) {
    const answer = main?.answer();
    if (answer !== undefined && isHiddenByBrowser(answer, error, stage)) return withoutPage(answer);
    const connection = stage === "opening" ? tunnel.failure(main?.requestedHost() ?? "") : undefined;
    if (isStepwellError(connection)) throw connection;
    throw failure.failureOf(error, { url, selector, stage, connection, limits });
  }
}

async function openContext({ browser }: BrowserProcess, tunnel: SocksProxy): Promise<BrowserContext> {
  const options = { acceptDownloads: false, serviceWorkers: "block" } as const;
  try {
    return await browser.newContext({ ...options, proxy: { server: tunnel.address, bypass: "<-loopback>" } });
  } catch (error) {
    // The browser exited between two pages, and the disconnect event has not arrived yet.
    throw failure.browserDiedError(error);
  }
}

/** Closes popups and dismisses dialogs. */
function blockPopups(page: Page, own: BrowserContext): void {
  const close = (other: Page) => void other.close().catch(() => undefined); // the context has closed it
  own.on("page", close);
  page.on("dialog", (dialog) => void dialog.dismiss().catch(() => undefined));
}

/**
 * Waits for the `DOMContentLoaded` event. If a page navigates to an external program (`mailto:`) while it loads, that
 * event never comes; an idle network counts then.
 *
 * @returns whether the event came
 */
async function waitUntilParsed(page: Page, timeout: number): Promise<boolean> {
  const parsed = page.waitForLoadState("domcontentloaded", { timeout }).then(() => true);
  const idle = page.waitForLoadState("networkidle", { timeout }).then(() => false);
  return Promise.race([parsed, idle]);
}

/** Whether Chromium hides the response: one that asks for a password, or an error status with an empty body. */
function isHiddenByBrowser(answer: Response, error: unknown, stage: failure.Stage): boolean {
  if (stage !== "opening" || answer.ok() || !(error instanceof Error)) return false;
  return (
    /ERR_INVALID_AUTH_CREDENTIALS|ERR_HTTP_RESPONSE_CODE_FAILURE/.test(error.message) || error.message === NOT_OPENED
  );
}

function withoutPage(answer: Response): Visited {
  const headers = answer.headers();
  const { "content-type": contentType = "", "retry-after": retryAfter = null } = headers;
  return { status: answer.status(), url: answer.url(), title: "", contentType, content: "", retryAfter, headers };
}

async function readHead(url: string, main: MainDocument): Promise<{ contentType: string; isOk: boolean }> {
  const answer = main.answer();
  if (answer === undefined) throw failure.unsupportedError(url, "");
  return { contentType: await headerOf(answer, "content-type"), isOk: answer.ok() };
}

async function headerOf(answer: Response, name: string): Promise<string> {
  return (await answer.headerValue(name)) ?? "";
}

/**
 * Waits for an idle network, and for frames that load without it (`srcdoc`). Pages with advertisements may never be idle;
 * they are read after the timeout.
 */
async function waitUntilSettled(page: Page, timeout: number): Promise<void> {
  const states = ["load", "networkidle"] as const;
  try {
    await Promise.all(states.map((state) => page.waitForLoadState(state, { timeout })));
  } catch (error) {
    if (!(error instanceof Error && error.name === "TimeoutError")) throw error;
  }
}

async function visitedOf(
  url: string,
  reading: PageReading,
  main: MainDocument,
  limits: BrowserLimits,
): Promise<Visited> {
  const answer = main.answer();
  if (answer === undefined) throw failure.unsupportedError(url, "");
  // The headless shell renders the body of such a response, but Chromium doesn't.
  if (answer.status() === 401 && HTTP_AUTH_SCHEME.test(await headerOf(answer, "www-authenticate")))
    return withoutPage(answer);
  if (reading.kind === "too large") throw failure.contentError(url, reading.characters, limits);
  const contentType = await headerOf(answer, "content-type");
  const isPage = HTML.test(contentType) || contentType === "";
  const content = isPage ? reading.html : await answer.text();
  if (content.length > limits.contentCharacters) throw failure.contentError(url, content.length, limits);
  return {
    status: answer.status(),
    url: reading.url,
    title: isPage ? reading.title : "",
    contentType,
    content,
    retryAfter: await answer.headerValue("retry-after"),
    headers: answer.headers(),
  };
}
