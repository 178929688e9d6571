import type { QueryClient, QueryFilters } from "@tanstack/react-query";

/**
 * Changes what has been read, in its place. Keeps its age and whether it is to be read again, which `setQueryData` would
 * reset.
 *
 * @param which Without `exact`, also the queries whose keys begin like this one, or have more in its lists and objects.
 * @param change Returns the same data if there is nothing to change.
 */
export function changeRead(queries: QueryClient, which: QueryFilters, change: (data: unknown) => unknown): void {
  for (const query of queries.getQueryCache().findAll(which)) {
    const { data, dataUpdatedAt: updatedAt, isInvalidated } = query.state;
    const changed = data === undefined ? data : change(data);
    if (changed === data) continue;
    query.setData(changed, { updatedAt, manual: true });
    if (isInvalidated) query.invalidate();
  }
}
