/** One browser for all tests of a worker: starting a browser takes longer than most tests. */
import process from "node:process";
import { inject } from "vitest";
import { createBrowserPool } from "../../../adapters/browser/browser-process.ts";
import { type BrowserLimits, limitsOf } from "../../../adapters/browser/limits.ts";
import { renderPages } from "../../../adapters/browser/render-pages.ts";
import { type Resolve, systemResolver } from "../../../adapters/browser/socks-proxy.ts";
import type { Browser } from "../../../src/ports/browser.ts";

/** It is never restarted for its number of pages, and ends with the worker process. */
const open = (executablePath: string) =>
  createBrowserPool(
    { executablePath, sandbox: process.getuid?.() !== 0 },
    limitsOf({ pagesPerBrowser: Number.MAX_SAFE_INTEGER, idleMs: 2 ** 31 - 1 }),
  );
const headlessShell = open(inject("headlessShell"));
const chromium = inject("chromium") === inject("headlessShell") ? headlessShell : open(inject("chromium"));

/** Every limit except memory, which belongs to the process, can be set for each test. */
export type SharedLimits = Omit<BrowserLimits, "memoryBytes" | "pagesPerBrowser" | "idleMs">;

/** On a busy machine a page may take long, unless a test is about its timeout. */
const PATIENT: Partial<BrowserLimits> = { timeoutMs: 600_000 };

export function shareBrowser(limits: Partial<SharedLimits> = {}): Browser {
  return renderPages(headlessShell, limitsOf({ ...PATIENT, ...limits }), systemResolver);
}

/** For what a full browser does and its headless shell may not, such as prefetching pages. */
export function shareChromium(limits: Partial<SharedLimits> = {}, resolve: Resolve = systemResolver): Browser {
  return renderPages(chromium, limitsOf({ ...PATIENT, ...limits }), resolve);
}
