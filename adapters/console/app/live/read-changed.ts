/** Reads what has changed again: not more than once a second. */
import type { Query, QueryKey } from "@tanstack/react-query";
import type { AppChange } from "../../../../src/app-stream/app-change.ts";
import { queryClient } from "../server/query-client.ts";
import { readAgain } from "./live-query.ts";
import { namesOf } from "./streamed-resources.ts";

const PAUSE_MS = 1_000;

const changed = new Set<string>();
/** Queries that were being read when something in them changed: what they get may be older. */
let missed: ReadonlySet<Query> = new Set();
let timer: ReturnType<typeof setTimeout> | undefined;

export function readChanged(changes: readonly AppChange[]): void {
  for (const change of changes) for (const name of namesOf(change)) changed.add(name);
  if ((changed.size === 0 && missed.size === 0) || timer !== undefined) return;
  readNow();
  timer = setTimeout(() => {
    timer = undefined;
    readChanged([]);
  }, PAUSE_MS);
}

function readNow(): void {
  const names = new Set(changed);
  const before = missed;
  changed.clear();
  const isNamed = ({ queryKey: [, name] }: { readonly queryKey: QueryKey }) =>
    typeof name === "string" && names.has(name);
  const isWanted = (query: Query) => query.meta?.["isLive"] === true && (isNamed(query) || before.has(query));
  missed = new Set(
    queryClient.getQueryCache().findAll({ type: "active", fetchStatus: "fetching", predicate: isWanted }),
  );
  // What no screen shows now is read when one shows it again, however short the time since it was read.
  void queryClient.invalidateQueries({ type: "inactive", refetchType: "none", predicate: isWanted });
  readAgain(isWanted);
}
