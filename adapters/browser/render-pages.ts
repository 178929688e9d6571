/** Visits pages in a browser that is there, so many at once; the others wait for their turn. */
import { type Browser, BrowserError } from "../../src/ports/browser.ts";
import { unlessAborted } from "../../src/time/unless-aborted.ts";
import type { BrowserPool } from "./browser-process.ts";
import type { BrowserLimits } from "./limits.ts";
import { createSemaphore } from "./semaphore.ts";
import type { Resolve } from "./socks-proxy.ts";
import { runVisit } from "./visit.ts";

/** Closing ends the visits; the instances stay their owner's to close. */
export function renderPages(pool: BrowserPool, limits: BrowserLimits, resolve: Resolve): Browser {
  const semaphore = createSemaphore(limits.concurrentPages);
  const closed = new AbortController();

  return {
    async visit(visit) {
      const signal = AbortSignal.any([visit.signal, closed.signal]);
      const giveBack = await semaphore.acquire(signal);
      const holding = pool.acquire();
      const held = await unlessAborted(holding, signal).catch((error: unknown) => {
        holding.then(({ release }) => release()).catch(() => undefined); // only the first reason counts
        giveBack();
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
            giveBack();
          },
        },
      );
    },
    async close() {
      closed.abort(new BrowserError("canceled", "The browser is closed."));
    },
  };
}
