/** Passes the changes of the app on, once a frame: to the screens that listen, and to what has been read. */
import type { AppChange } from "../../../../src/app-stream/app-change.ts";

type Listener = (changes: readonly AppChange[]) => void;

const listeners = new Set<Listener>();
let waiting: AppChange[] = [];

/** @returns Removes the listener. */
export function onAppChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function passOn(change: AppChange): void {
  waiting.push(change);
  if (waiting.length === 1) requestAnimationFrame(passAllOn);
}

function passAllOn(): void {
  const changes = waiting;
  waiting = [];
  for (const listener of listeners) listener(changes);
}
