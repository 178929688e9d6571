/** The responses of the external server to the requests of runs. */
import { setTimeout as pause } from "node:timers/promises";
import type { Received, Reply } from "../../support/servers/http-server.ts";
import { FLAKY, LARGE, REFUSED } from "./graphs.ts";
import { parseKey } from "./snapshot.ts";

/** The delay of a response, so that a crash can come before it. */
const DELAY_MS = 3;

const PAGE = "/page";
const page = (number: number): Reply => ({
  headers: { "content-type": "text/html" },
  body: `<title>${number}</title><p>Page ${number}`,
});

/** The same response for the same key, except at the flaky path, where the first request fails. */
export function answers(): (received: Received) => Promise<Reply> {
  const known = new Set<string>();
  return async ({ path, key, body }) => {
    const isFirst = !known.has(key);
    known.add(key);
    await pause(DELAY_MS);
    if (path === REFUSED) return { status: 418, body: "no" };
    if (path === FLAKY && isFirst) return { status: 503, body: "later" };
    if (path.startsWith(PAGE)) return page(parseKey(key).iteration);
    const text = path === LARGE ? "x".repeat(20_000) : "";
    const { iteration } = parseKey(key);
    return { headers: { "content-type": "application/json" }, body: JSON.stringify({ path, body, iteration, text }) };
  };
}
