/** Whether what the page shows is up to date, for the sign in the bar. */
import { useSyncExternalStore } from "react";
import { lostSince, onConnection } from "../server/connection.ts";

/**
 * `live`: changes arrive by the stream of the app. `polling`: there is no stream, and lists are read again every few
 * seconds. `offline`: the server cannot be reached.
 */
export type LiveState = "connecting" | "live" | "polling" | "offline";

type StreamState = Exclude<LiveState, "offline">;

let stream: StreamState = "connecting";
const listeners = new Set<() => void>();

export const liveState = (): LiveState => (lostSince() === null ? stream : "offline");

export function setStreamState(next: StreamState): void {
  if (next === stream) return;
  stream = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const forget = onConnection(listener);
  return () => {
    listeners.delete(listener);
    forget();
  };
}

export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, liveState);
