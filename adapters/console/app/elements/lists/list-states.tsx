/** What a list shows around its items: waiting, an error, nothing, and more. */
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useFormat } from "../../texts/format.ts";
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
  if (list.isLoading) return <Loading />;
  if (list.error !== null && list.items.length === 0) return <ProblemNote error={list.error} onRetry={list.reload} />;
  if (list.items.length === 0) return empty;
  return (
    <>
      {list.error === null ? null : <ProblemNote error={list.error} onRetry={list.reload} />}
      {children(list.items)}
      <More list={list} />
    </>
  );
}

/** Reads the next page. After the last one, it says so in its place, with the focus: else people would begin again at the top. */
function More({ list }: { readonly list: PagedList<unknown> }) {
  const { general } = useTexts();
  const format = useFormat();
  const [isAsked, setAsked] = useState(false);
  const end = useRef<HTMLParagraphElement>(null);
  const isEnd = isAsked && !list.hasMore;
  useLayoutEffect(() => {
    if (isEnd) end.current?.focus({ preventScroll: true });
  }, [isEnd]);
  if (list.hasMore)
    return (
      <p className="load-more">
        <Button
          isBusy={list.isLoadingMore}
          onClick={() => {
            setAsked(true);
            list.loadMore();
          }}
        >
          {general.loadMore}
        </Button>
      </p>
    );
  return isEnd ? (
    <p ref={end} className="load-more" tabIndex={-1}>
      {general.allShown(format.number(list.items.length))}
    </p>
  ) : null;
}
