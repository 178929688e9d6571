/** The time, for texts such as "5 minutes ago". One clock for the page, which rests while the page is hidden. */
import { useSyncExternalStore } from "react";
import { serverNow } from "./clock.ts";
import { useLostSince } from "./connection.ts";

const TICK_MS = 1_000;

let now = serverNow();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  if (document.hidden) return;
  now = serverNow();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Nobody has renewed it while nobody listened.
  if (timer === undefined) now = serverNow();
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const rest = () => () => undefined;

/**
 * Milliseconds, renewed each second.
 * @param isTicking Whether it is renewed. @default true
 */
export const useNow = (isTicking = true): number => useSyncExternalStore(isTicking ? subscribe : rest, () => now);

/** The time up to which the page knows what happens: the time, or when the connection was lost. */
export function useKnownNow(isTicking = true): number {
  const since = useLostSince();
  const now = useNow(isTicking && since === null);
  return since === null ? now : Date.parse(since);
}
