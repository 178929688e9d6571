/**
 * Queries whose data changes by itself. They are read again when the stream of the app names what they show; without a
 * stream, and for what no stream names, every few seconds. Never in a hidden page.
 */
import type { Query } from "@tanstack/react-query";
import { queryClient } from "../server/query-client.ts";
import { liveState } from "./live-state.ts";
import { isStreamed } from "./streamed-resources.ts";

export const POLLING_MS = 5_000;
/** Reading many pages again would cost more than it shows. */
const MAX_PAGES = 3;

/** Options of queries whose data changes by itself. */
export const LIVE_QUERY = { meta: { isLive: true } } as const;

const isLive = ({ meta, state: { data } }: Query) => meta?.["isLive"] === true && pagesOf(data) <= MAX_PAGES;

function pagesOf(data: unknown): number {
  if (typeof data !== "object" || data === null || !("pages" in data) || !Array.isArray(data.pages)) return 1;
  return data.pages.length;
}

/** Reads the live queries of the screen again. What was read a moment ago is kept. */
export function readAgain(which: (query: Query) => boolean = () => true): void {
  if (document.hidden || liveState() === "offline") return;
  void queryClient.refetchQueries(
    { type: "active", fetchStatus: "idle", predicate: (query) => isLive(query) && which(query) },
    { cancelRefetch: false },
  );
}

/** With a stream, only what it does not name. */
function poll(): void {
  const hasStream = liveState() === "live";
  readAgain(({ queryKey }) => !hasStream || !isStreamed(queryKey));
}

/** Starts polling. Returns a function that ends it. */
export function startPolling(): () => void {
  const timer = setInterval(poll, POLLING_MS);
  return () => clearInterval(timer);
}
