/** One browser for all the tests of a worker: starting one takes more than most of their pages do. */
import process from "node:process";
import { inject } from "vitest";
import { createBrowserPool } from "../../../adapters/browser/browser-process.ts";
import { type BrowserLimits, limitsOf } from "../../../adapters/browser/limits.ts";
import { renderPages } from "../../../adapters/browser/render-pages.ts";
import { type Resolve, systemResolver } from "../../../adapters/browser/socks-proxy.ts";
import type { Browser } from "../../../src/ports/browser.ts";

/** Pages never wear it out; it ends with the worker's process. */
const open = (executablePath: string) =>
  createBrowserPool(
    { executablePath, sandbox: process.getuid?.() !== 0 },
    limitsOf({ pagesPerBrowser: Number.MAX_SAFE_INTEGER, idleMs: 2 ** 31 - 1 }),
  );
const headlessShell = open(inject("headlessShell"));
const chromium = inject("chromium") === inject("headlessShell") ? headlessShell : open(inject("chromium"));

/** Everything but memory, which is the process's, can be limited for each. */
export type SharedLimits = Omit<BrowserLimits, "memoryBytes" | "pagesPerBrowser" | "idleMs">;

/** On a busy machine a page takes as long as it takes, unless a test is about its time. */
const PATIENT: Partial<BrowserLimits> = { timeoutMs: 600_000 };

export function shareBrowser(limits: Partial<SharedLimits> = {}): Browser {
  return renderPages(headlessShell, limitsOf({ ...PATIENT, ...limits }), systemResolver);
}

/** For what a whole browser does and its headless shell may not, such as fetching pages ahead. */
export function shareChromium(limits: Partial<SharedLimits> = {}, resolve: Resolve = systemResolver): Browser {
  return renderPages(chromium, limitsOf({ ...PATIENT, ...limits }), resolve);
}
