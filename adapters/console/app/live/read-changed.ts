/** Reads what has changed again: not more than once a second. */
import type { AppChange } from "../../../../src/app-stream/app-change.ts";
import { readAgain } from "./live-query.ts";
import { namesOf } from "./streamed-resources.ts";

const PAUSE_MS = 1_000;

const changed = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

export function readChanged(changes: readonly AppChange[]): void {
  for (const change of changes) for (const name of namesOf(change)) changed.add(name);
  if (changed.size === 0 || timer !== undefined) return;
  readNow();
  timer = setTimeout(() => {
    timer = undefined;
    if (changed.size > 0) readChanged([]);
  }, PAUSE_MS);
}

function readNow(): void {
  const names = new Set(changed);
  changed.clear();
  readAgain(({ queryKey: [, name] }) => typeof name === "string" && names.has(name));
}
