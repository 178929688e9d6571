/** Whether what the page shows is up to date, for the sign in the bar. */
import { useSyncExternalStore } from "react";

export type LiveState =
  | { readonly kind: "connecting" }
  /** Changes arrive by the stream of the app. */
  | { readonly kind: "live" }
  /** There is no stream: lists are read again every few seconds. */
  | { readonly kind: "polling" }
  | {
      readonly kind: "offline";
      /** When the server did not respond for the first time, ISO 8601. */
      readonly since: string;
    };

let state: LiveState = { kind: "connecting" };
const listeners = new Set<() => void>();

export const liveState = (): LiveState => state;

/** A server that stays away keeps the time of its first failure. */
export function setLiveState(next: LiveState): void {
  if (next.kind === state.kind) return;
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, liveState);
