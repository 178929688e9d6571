/** Reads what has changed again: not more than once a second. */
import type { QueryKey } from "@tanstack/react-query";
import type { AppChange } from "../../../../src/app-stream/app-change.ts";
import { queryClient } from "../server/query-client.ts";
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
  const isNamed = ({ queryKey: [, name] }: { readonly queryKey: QueryKey }) =>
    typeof name === "string" && names.has(name);
  // What no screen shows now is read when one shows it again, however short the time since it was read.
  void queryClient.invalidateQueries({
    type: "inactive",
    refetchType: "none",
    predicate: (query) => query.meta?.["isLive"] === true && isNamed(query),
  });
  readAgain(isNamed);
}
