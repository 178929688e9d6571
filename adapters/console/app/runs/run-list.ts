/**
 * The list of runs, which stays where it is: runs change in their rows, and new ones are counted until somebody asks for
 * them. The first page is read again beside the list, and tells what is new.
 */
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useMemo } from "react";
import type { Page } from "../../../../src/documents/pagination.ts";
import { useStable } from "../elements/use-stable.ts";
import { LIVE_QUERY, POLLING_MS } from "../live/live-query.ts";
import { changeRows, filterRows, type RunRow, withNewer } from "../live/run-rows.ts";
import { client } from "../server/client.ts";
import { serverNow } from "../server/clock.ts";
import { type RunFilters, selectionOf } from "./filters/run-filters.ts";

export const PAGE_SIZE = 50;

interface RunPage extends Page<RunRow> {
  /** When it was asked for, as `performance.now()`. */
  readonly asked: number;
}
type Pages = InfiniteData<RunPage, string | undefined>;

async function readPage(
  appId: string,
  filters: RunFilters,
  token: string | undefined,
  signal: AbortSignal,
): Promise<RunPage> {
  const asked = performance.now();
  const paging = token === undefined ? {} : { page_token: token };
  const page = await client
    .with({ signal })
    .runs.list(appId, { ...selectionOf(filters, serverNow()), ...paging, take: PAGE_SIZE });
  return { ...withNewer(page, asked), asked };
}

export function useRunList(appId: string, filters: RunFilters) {
  const queries = useQueryClient();
  const key = [appId, "runs", "list", filters] as const;
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => readPage(appId, filters, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ more, next_page_token }) => (more ? next_page_token : undefined),
    // Reading all pages again would move what somebody looks at.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    placeholderData: (before) => before,
  });
  usePrunedRows(key);
  const isRead = list.data !== undefined && !list.isPlaceholderData;
  const first = useQuery({
    queryKey: [appId, "runs", "first", filters],
    queryFn: ({ signal }) => readPage(appId, filters, undefined, signal),
    enabled: isRead,
    ...LIVE_QUERY,
  });
  const rows = useMemo(() => (list.data?.pages ?? []).flatMap(({ items }) => items), [list.data]);
  // A first page that was read before the list knows less than the list: runs that are gone, and earlier states.
  const isNewer = isRead && (first.data?.asked ?? 0) > (list.data?.pages[0]?.asked ?? 0);
  const newest = isNewer ? first.data : undefined;
  useChangedRows(appId, newest, rows);
  const hasMore = list.hasNextPage;
  const fresh = useMemo(() => countFresh(newest, rows, hasMore), [newest, rows, hasMore]);

  return {
    rows,
    /** Runs that match, as of now; undefined for a search. */
    total: newest?.total ?? list.data?.pages[0]?.total,
    isLoading: list.isLoading,
    /** Whether the rows belong to other filters. */
    isStale: list.isPlaceholderData,
    error: list.error,
    hasMore,
    isLoadingMore: list.isFetchingNextPage,
    loadMore: () => void list.fetchNextPage(),
    reload: () => void list.refetch(),
    /** Tokens of the pages; undefined for the first one. */
    tokens: (list.data?.pageParams ?? []).map((token) => (typeof token === "string" ? token : undefined)),
    /** Number of new runs that the list does not show. With a page of them, there may be more. */
    fresh,
    /** Replaces the list by its first page as it is now. */
    showFresh() {
      if (newest === undefined) return;
      queries.setQueryData<Pages>(key, { pages: [newest], pageParams: [undefined] });
    },
  };
}

export type RunList = ReturnType<typeof useRunList>;

/** A list that is opened again, with the pages that were read before, leaves out the runs that have left it since. */
function usePrunedRows(key: readonly [string, "runs", "list", RunFilters]): void {
  const prune = useStable(() => {
    const { status } = key[3];
    filterRows(key, (run) => run.isGone !== true && (status.length === 0 || status.includes(run.status)));
  });
  const opened = JSON.stringify(key);
  useLayoutEffect(() => prune(), [opened, prune]);
}

/** Passes what the first page says of runs on to their rows. */
function useChangedRows(appId: string, newest: RunPage | undefined, rows: readonly RunRow[]): void {
  useEffect(() => {
    if (newest === undefined) return;
    const read = new Map(newest.items.map((run) => [run.id, run]));
    const changed = rows.filter((row) => {
      const run = read.get(row.id);
      return run !== undefined && run !== row && isChanged(row, run);
    });
    changeRows(appId, new Map(changed.map(({ id }) => [id, read.get(id) ?? {}])));
  }, [appId, newest, rows]);
}

const isChanged = (one: RunRow, other: RunRow) =>
  one.status !== other.status || one.started_at !== other.started_at || one.finished_at !== other.finished_at;

/** Runs of the first page that belong between the rows, or above them. */
function countFresh(newest: RunPage | undefined, rows: readonly RunRow[], hasMore: boolean): number {
  const known = new Set(rows.map(({ id }) => id));
  const last = hasMore ? (rows.at(-1)?.created_at ?? "") : "";
  return (newest?.items ?? []).filter(({ id, created_at }) => !known.has(id) && created_at >= last).length;
}

/** Keeps the rows that somebody looks at up to date where no stream does. The first page is read anyway. */
export function useShownPage(appId: string, filters: RunFilters, { rows, tokens }: RunList, row: number): void {
  const token = tokens[Math.floor(row / PAGE_SIZE)];
  const shown = useQuery({
    queryKey: [appId, "runs", "shown", filters, token],
    queryFn: ({ signal }) => readPage(appId, filters, token, signal),
    enabled: token !== undefined,
    // The list has just read it.
    staleTime: POLLING_MS,
    ...LIVE_QUERY,
  });
  useChangedRows(appId, shown.data, rows);
}
