/** Lists of the server, page by page. */
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Page } from "../../../../../src/documents/pagination.ts";

interface PagedListParts<Item> {
  readonly queryKey: readonly unknown[];
  /** Reads the page after a token; the first page without one. The signal aborts when nobody shows the list any more. */
  readonly read: (pageToken: string | undefined, signal: AbortSignal) => Promise<Page<Item>>;
  /** Whether the list is read at all. @default true */
  readonly enabled?: boolean;
  /** Whether it is kept up to date while it has few pages. @default false */
  readonly isLive?: boolean;
}

/** The items that have been read, and a function that reads more. */
export function usePagedList<Item>({ queryKey, read, enabled = true, isLive = false }: PagedListParts<Item>) {
  const query = useInfiniteQuery({
    // A list by pages has another form than what others may have read under the same key.
    queryKey: [...queryKey, "pages"],
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ more, next_page_token }) => (more ? next_page_token : undefined),
    enabled,
    meta: { isLive },
    placeholderData: (before) => before,
  });
  const pages = query.data?.pages ?? [];
  return {
    items: pages.flatMap(({ items }) => items),
    isLoading: query.isLoading,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    /** Whether the items belong to an earlier query. */
    isStale: query.isPlaceholderData,
    loadMore: () => void query.fetchNextPage(),
    reload: () => void query.refetch(),
  };
}

export type PagedList<Item> = ReturnType<typeof usePagedList<Item>>;
