/**
 * Whether the server can be reached: one state for the whole page. While it cannot, a single request asks for it, more and
 * more rarely, and all others fail at once.
 */
import { useSyncExternalStore } from "react";
import { urlOf } from "../routing/location.ts";
import { serverNow } from "./clock.ts";

const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 15_000;
/** A server that takes longer for the least of all requests cannot be used. */
export const PATIENCE_MS = 10_000;

let lostAt: string | null = null;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let asking: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

/** When the server did not respond for the first time, ISO 8601; null if it can be reached. */
export const lostSince = (): string | null => lostAt;

/**
 * @param listener Called when the connection is lost, and when it is back.
 * @returns Removes the listener.
 */
export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useLostSince = (): string | null => useSyncExternalStore(onConnection, lostSince);

/** Asks the server now. Returns whether it has responded. */
export function checkConnection(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = null;
  });
  return asking;
}

/** Call it for each response of the server. */
export function markReached(): void {
  clearTimeout(timer);
  failures = 0;
  change(null);
}

/** Resolves when the server can be reached, or the signal aborts. */
export function untilReached(signal: AbortSignal): Promise<void> {
  return lostAt === null ? Promise.resolve() : untilBack(signal);
}

/** Resolves when the server can be reached again, or the signal aborts. */
export function untilBack(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (lostAt !== null && !signal.aborted) return;
      forget();
      signal.removeEventListener("abort", look);
      resolve();
    };
    const forget = onConnection(look);
    signal.addEventListener("abort", look);
    if (signal.aborted) look();
  });
}

async function ask(): Promise<boolean> {
  clearTimeout(timer);
  const isThere = await fetch(urlOf("/session"), { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    ({ status }) => status < 500,
    () => false,
  );
  if (isThere) markReached();
  else {
    timer = setTimeout(askIfShown, pauseAfter(++failures));
    change(lostAt ?? new Date(serverNow()).toISOString());
  }
  return isThere;
}

/** Milliseconds until the next try. With jitter, so that many pages do not return to a restarted server at once. */
export const pauseAfter = (failures: number): number =>
  Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);

function askIfShown(): void {
  if (!document.hidden) void checkConnection();
}

function change(next: string | null): void {
  if (next === lostAt) return;
  lostAt = next;
  for (const listener of listeners) listener();
}

addEventListener("online", () => void checkConnection());
addEventListener("offline", () => void checkConnection());
document.addEventListener("visibilitychange", () => {
  if (lostAt !== null) askIfShown();
});
