/** A stream of a page whose browser gives no locks is opened at once. */
import { afterEach, expect, it, vi } from "vitest";
import { takeStreamSlot } from "../../adapters/console/app/live/stream-slot.ts";

class Timing {
  readonly nextHopProtocol = "http/1.1";
}

function inBrowser(locks: unknown) {
  vi.stubGlobal("PerformanceNavigationTiming", Timing);
  vi.stubGlobal("performance", { getEntriesByType: () => [new Timing()] });
  vi.stubGlobal("navigator", { locks });
}

afterEach(() => vi.unstubAllGlobals());

it.each([
  ["has none", undefined],
  ["refuses them", { request: () => Promise.reject(new DOMException("Not here.", "SecurityError")) }],
])("if it %s", async (_, locks) => {
  inBrowser(locks);
  expect(await takeStreamSlot()).toBeTypeOf("function");
});

it("waits for none if all are taken", async () => {
  inBrowser({ request: (_: string, __: object, use: (lock: null) => unknown) => Promise.resolve(use(null)) });
  expect(await takeStreamSlot()).toBeNull();
});
