/** Says how many runs match once somebody has changed the filters. Runs that come meanwhile are not said. */
import { useEffect, useRef } from "react";
import { announce } from "../elements/announced.tsx";
import { useTexts } from "../texts/language.ts";
import type { RunFilters } from "./filters/run-filters.ts";
import type { RunList } from "./run-list.ts";

export function useSaidCount(filters: RunFilters, { rows, total, hasMore, isStale, isLoading, error }: RunList): void {
  const { runs: texts } = useTexts();
  const address = JSON.stringify(filters);
  const said = useRef(address);
  // A search has no total.
  const count = total ?? (hasMore ? null : rows.length);
  useEffect(() => {
    if (said.current === address || isStale || isLoading || error !== null) return;
    said.current = address;
    if (count !== null) announce(texts.matching(count));
  }, [address, count, isStale, isLoading, error, texts]);
}
