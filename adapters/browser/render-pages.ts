/** Visits pages in the shared browser, with a limit on concurrent pages. */
import { type Browser, BrowserError } from "../../src/ports/browser.ts";
import { unlessAborted } from "../../src/time/unless-aborted.ts";
import type { BrowserPool } from "./browser-process.ts";
import type { BrowserLimits } from "./limits.ts";
import { createSemaphore } from "./semaphore.ts";
import type { Resolve } from "./socks-proxy.ts";
import { runVisit } from "./visit.ts";

/** Closing it ends all visits. The owner of the pool closes the browser. */
export function renderPages(pool: BrowserPool, limits: BrowserLimits, resolve: Resolve): Browser {
  const semaphore = createSemaphore(limits.concurrentPages);
  const closed = new AbortController();

  return {
    async visit(visit) {
      const signal = AbortSignal.any([visit.signal, closed.signal]);
      const releaseSlot = await semaphore.acquire(signal);
      const holding = pool.acquire();
      const held = await unlessAborted(holding, signal).catch((error: unknown) => {
        holding.then(({ release }) => release()).catch(() => undefined); // the abort reason is reported instead
        releaseSlot();
        throw error;
      });
      return runVisit(
        { ...visit, signal },
        {
          instance: held.instance,
          limits,
          resolve,
          onClosed() {
            held.release();
            releaseSlot();
          },
        },
      );
    },
    async close() {
      closed.abort(new BrowserError("canceled", "The browser is closed."));
    },
  };
}
