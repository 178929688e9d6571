/** Waits over HTTP for the end of a run or a job. */
import type { WaitOptions } from "../api/api.ts";
import { anySignal, sleep } from "./backoff.ts";
import { type Connection, wrongField } from "./connection.ts";
import { readJson, unexpected } from "./response-body.ts";
import { fillPath, type TableRow } from "./table-row.ts";

/** Seconds for which one request waits: less than proxies keep an idle connection. */
const WAIT_SECONDS = 25;
/** Milliseconds between two requests at least, if a proxy drops the header `Prefer`. */
const MIN_INTERVAL_MS = 1_000;

/** The status of a run or a job that has ended, and the type of the last event of a run. */
export const ENDED = /^(run\.)?(succeeded|failed|canceled)$/;

/** @param row The route that returns the resource. It supports `Prefer: wait`. */
export function waitUntilEnded<Resource extends { readonly status: string }>(
  connection: Connection,
  row: TableRow,
): (appId: string, id: string, options?: WaitOptions) => Promise<Resource> {
  const { method, path: template } = row;
  return async (appId, id, { timeoutMs = Infinity, signal } = {}) => {
    const path = fillPath(template, [appId, id]);
    // Also refuses NaN, which would wait forever.
    if (!(timeoutMs >= 0)) throw wrongField("/timeoutMs", "Must be a number, at least 0.");
    const endsAt = performance.now() + timeoutMs;
    for (;;) {
      const askedAt = performance.now();
      const seconds = Math.min(WAIT_SECONDS, Math.floor((endsAt - askedAt) / 1_000));
      const headers = seconds > 0 ? { prefer: `wait=${seconds}` } : {};
      const read = async (response: Response) => {
        const found = (await readJson(response, connection.maxResponseBytes)) as Resource; // by its route
        if (typeof Object(found).status === "string") return found;
        throw unexpected(response, "a run or a job");
      };
      const resource = await connection.exchange({ method, path, headers, signal }, read);
      const now = performance.now();
      const restMs = endsAt - now;
      if (ENDED.test(resource.status) || restMs <= 0) return resource;
      // The header has whole seconds: the rest of the time passes here.
      const pauseMs = askedAt + MIN_INTERVAL_MS - now;
      if (pauseMs > 0) await sleep(Math.min(pauseMs, restMs), anySignal(connection.signal, signal));
    }
  };
}
