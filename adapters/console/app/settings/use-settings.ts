/** The settings of this browser, in components. */
import { useSyncExternalStore } from "react";
import { keepSettings, readSettings, type Settings } from "./settings.ts";

let current: Settings | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function snapshot(): Settings {
  current ??= readSettings();
  return current;
}

export const useSettings = (): Settings => useSyncExternalStore(subscribe, snapshot);

export function changeSettings(changes: Partial<Settings>): void {
  current = { ...snapshot(), ...changes };
  keepSettings(current);
  for (const listener of listeners) listener();
}
