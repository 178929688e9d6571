/** Visits pages in a browser that is there, so many at once; the others wait for their turn. */
import { type Browser, BrowserError } from "../../src/ports/browser.ts";
import type { Instances } from "./browser-process.ts";
import type { BrowserLimits } from "./limits.ts";
import { createTurns } from "./semaphore.ts";
import type { Resolve } from "./socks-proxy.ts";
import { carryOut, unlessStopped } from "./visit.ts";

/** Closing ends the visits; the instances stay their owner's to close. */
export function renderPages(instances: Instances, limits: BrowserLimits, resolve: Resolve): Browser {
  const turns = createTurns(limits.pages);
  const closed = new AbortController();

  return {
    async visit(visit) {
      const signal = AbortSignal.any([visit.signal, closed.signal]);
      const giveBack = await turns.take(signal);
      const holding = instances.hold();
      const held = await unlessStopped(holding, signal).catch((error: unknown) => {
        holding.then(({ release }) => release()).catch(() => undefined); // only the first reason counts
        giveBack();
        throw error;
      });
      return carryOut(
        { ...visit, signal },
        {
          instance: held.instance,
          limits,
          resolve,
          closed() {
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
