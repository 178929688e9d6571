/** What a list shows around its items: waiting, an error, nothing, and more. */
import type { ReactNode } from "react";
import { useTexts } from "../../texts/language.ts";
import { Button } from "../controls/button.tsx";
import { Loading } from "../loading.tsx";
import { ProblemNote } from "../problem-note.tsx";
import type { PagedList } from "./paged-list.ts";

interface ListStatesProps<Item> {
  readonly list: PagedList<Item>;
  /** In place of a list without items. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

export function ListStates<Item>({ list, empty, children }: ListStatesProps<Item>) {
  const { general } = useTexts();
  if (list.isLoading) return <Loading />;
  if (list.error !== null && list.items.length === 0) return <ProblemNote error={list.error} onRetry={list.reload} />;
  if (list.items.length === 0) return empty;
  return (
    <>
      {list.error === null ? null : <ProblemNote error={list.error} onRetry={list.reload} />}
      {children(list.items)}
      {list.hasMore ? (
        <p className="load-more">
          <Button isBusy={list.isLoadingMore} onClick={list.loadMore}>
            {general.loadMore}
          </Button>
        </p>
      ) : null}
    </>
  );
}
