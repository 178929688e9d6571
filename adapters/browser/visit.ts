/** Carries out one visit, in a context and with a way out of its own. */
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
  /** Called once the page is closed, which may be later than the end of the visit. */
  onClosed(): void;
}

const WEB = /^https?:/;
const HTML = /^(text\/html|application\/xhtml\+xml)\b/i;
/** Schemes for which a browser with a window asks people for a password. */
const ASKED_FOR = /^(basic|digest|ntlm)\b/i;
const NOT_OPENED = "the page that it navigates to could not be opened";
const TEXT = /^(text\/|application\/([\w.-]+\+)?(json|xml)\b|$)/i;
/** Milliseconds behind the time of a page in which it can still be read. */
const READ_GRACE_MS = 1_000;
/** Milliseconds that a page may take to close, if it may live as long: then its browser hangs. */
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
    void opening.then((tunnel) => tunnel.close()).catch(() => undefined); // that it did not open was told above
    // A page that never rests is ended with its context, a context that does not end with its browser.
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
    const { contentType, isOk } = await headOf(url, main);
    if (!HTML.test(contentType) && !TEXT.test(contentType)) throw failure.unsupportedError(url, contentType);
    await waitUntilLoaded(page, left());
    if (isOk && selector !== undefined) {
      stage = "waiting";
      await page.waitForSelector(`css=${selector}`, { state: "attached", timeout: left() });
    } else if (isOk && HTML.test(contentType)) await waitUntilIdle(page, Math.min(limits.settleMs, left()));
    stage = "reading";
    const reading = await readPage(own, page, limits.contentCharacters);
    if (WEB.test(reading.url)) return await visitedOf(url, reading, main, limits);
    if (!reading.url.startsWith("chrome-error:")) throw failure.schemeError(url, reading.url);
    stage = "opening"; // of where its scripts went on to
    throw new Error(NOT_OPENED);
  } catch (error) {
    const answer = main?.answer();
    if (answer !== undefined && isHiddenByBrowser(answer, error, stage)) return withoutPage(answer);
    const connection = stage === "opening" ? tunnel.failure(main?.asked() ?? "") : undefined;
    if (isStepwellError(connection)) throw connection;
    throw failure.failureOf(error, { url, selector, stage, connection, limits });
  }
}

async function openContext({ browser }: BrowserProcess, tunnel: SocksProxy): Promise<BrowserContext> {
  const options = { acceptDownloads: false, serviceWorkers: "block" } as const;
  try {
    return await browser.newContext({ ...options, proxy: { server: tunnel.address, bypass: "<-loopback>" } });
  } catch (error) {
    // It was ended between two pages, and that was not noticed yet.
    throw failure.browserDiedError(error);
  }
}

/** Nothing opens beside the page, and nobody is asked anything. */
function blockPopups(page: Page, own: BrowserContext): void {
  const close = (other: Page) => void other.close().catch(() => undefined); // gone with the context, then
  own.on("page", close);
  page.on("dialog", (dialog) => void dialog.dismiss().catch(() => undefined));
}

/**
 * A page that goes on to another program (`mailto:`) while it loads is not told to be loaded any more; then it is when
 * nothing comes.
 */
async function waitUntilLoaded(page: Page, timeout: number): Promise<void> {
  const states = ["domcontentloaded", "networkidle"] as const;
  await Promise.race(states.map((state) => page.waitForLoadState(state, { timeout })));
}

/** What comes with a status that a browser would ask a password for, or that comes alone, Chromium does not show. */
function isHiddenByBrowser(answer: Response, error: unknown, stage: failure.Stage): boolean {
  if (stage !== "opening" || answer.ok() || !(error instanceof Error)) return false;
  return (
    /ERR_INVALID_AUTH_CREDENTIALS|ERR_HTTP_RESPONSE_CODE_FAILURE/.test(error.message) || error.message === NOT_OPENED
  );
}

function withoutPage(answer: Response): Visited {
  const { "content-type": contentType = "", "retry-after": retryAfter = null } = answer.headers();
  return { status: answer.status(), url: answer.url(), title: "", contentType, content: "", retryAfter };
}

async function headOf(url: string, main: MainDocument): Promise<{ contentType: string; isOk: boolean }> {
  const answer = main.answer();
  if (answer === undefined) throw failure.unsupportedError(url, "");
  return { contentType: await headerOf(answer, "content-type"), isOk: answer.ok() };
}

async function headerOf(answer: Response, name: string): Promise<string> {
  return (await answer.headerValue(name)) ?? "";
}

/** Advertisements never rest: then the page is as ready as it gets. */
async function waitUntilIdle(page: Page, patience: number): Promise<void> {
  try {
    await page.waitForLoadState("networkidle", { timeout: patience });
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
  // A headless shell shows what comes with it, Chromium does not.
  if (answer.status() === 401 && ASKED_FOR.test(await headerOf(answer, "www-authenticate"))) return withoutPage(answer);
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
  };
}
