import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Changes what has been read, in its place. It stays as old as it was, and is read again where that was wanted: the cache
 * takes what it is given for newly read otherwise.
 *
 * @param queryKey That of one query, or the beginning of those of several
 * @param change Returns the same data if there is nothing to change.
 */
export function changeRead(queries: QueryClient, queryKey: QueryKey, change: (data: unknown) => unknown): void {
  for (const query of queries.getQueryCache().findAll({ queryKey })) {
    const { data, dataUpdatedAt: updatedAt, isInvalidated } = query.state;
    const changed = data === undefined ? data : change(data);
    if (changed === data) continue;
    query.setData(changed, { updatedAt, manual: true });
    if (isInvalidated) query.invalidate();
  }
}
