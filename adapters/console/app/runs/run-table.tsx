/** The rows of the list of runs: only those on the screen are in the page. A grid with one stop for the keyboard. */
import { defaultRangeExtractor, useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import { usePhone } from "../elements/media-queries.ts";
import { useStable } from "../elements/use-stable.ts";
import type { RunRow } from "../live/run-rows.ts";
import { useTexts } from "../texts/language.ts";
import { Cell } from "./cell.tsx";
import { useListKeys } from "./list-keys.ts";
import { seenHeights, useKeptHeights } from "./list-return.ts";
import type { RunList } from "./run-list.ts";
import { RunTableRow } from "./run-table-row.tsx";
import { allToggled, extended, isSelected, type Selection, toggled } from "./selection.ts";
import "./run-table.css";

const COLUMNS = ["status", "workflow", "trigger", "created", "took", "error"] as const;
/** Rows that are rendered beside those on the screen. */
const OVERSCAN = 6;
const ROW_PX = 44;
/** There, a run takes several lines. */
const PHONE_ROW_PX = 92;
/** More is read when so many rows are left. */
const AHEAD = 20;

interface RunTableProps {
  readonly appId: string;
  readonly list: RunList;
  readonly selection: Selection;
  readonly onSelect: (change: (selection: Selection) => Selection) => void;
  /** Called with the index of the first row on the screen. */
  readonly onShow: (row: number) => void;
}

export function RunTable({ appId, list, selection, onSelect, onShow }: RunTableProps) {
  const { runs: texts } = useTexts();
  const body = useRef<HTMLDivElement>(null);
  const { rows, hasMore, isLoadingMore, loadMore } = list;
  const keys = useListKeys({ appId, rows, onSelect, body });
  const rowPx = usePhone() ? PHONE_ROW_PX : ROW_PX;
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    // Rounded as by default, each row would cover the line of the one above.
    measureElement: (row) => row.getBoundingClientRect().height,
    scrollMargin: useOffset(body),
    initialMeasurementsCache: useState(seenHeights)[0],
    getItemKey: (index) => rows[index]?.id ?? index,
    rangeExtractor: (range) => withRow(keys.active, defaultRangeExtractor(range)),
  });
  useKeptHeights(virtual.takeSnapshot);
  virtual.shouldAdjustScrollPositionOnItemSizeChange = keepInPlace;
  const shown = virtual.getVirtualItems();
  const first = virtual.range?.startIndex ?? 0;
  const last = virtual.range?.endIndex ?? 0;
  useLayoutEffect(() => onShow(first), [first, onShow]);
  useLayoutEffect(() => {
    if (hasMore && !isLoadingMore && last >= rows.length - AHEAD) loadMore();
  });

  // The same function at all times: with another one, each row would be drawn anew.
  const select = useStable((run: RunRow, isRange: boolean) =>
    onSelect((before) => (isRange ? extended(before, rows, run) : toggled(before, run))),
  );
  return (
    <div
      className="run-table"
      role="grid"
      aria-label={texts.title}
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      aria-multiselectable="true"
      onKeyDown={keys.onKeyDown}
    >
      <HeadRow {...{ rows, selection, onSelect }} />
      {/* The height of all rows, for the scroll bar. */}
      <div ref={body} role="rowgroup" className="rows" style={{ blockSize: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const run = rows[index];
          return run === undefined ? null : (
            <RunTableRow
              key={run.id}
              ref={virtual.measureElement}
              appId={appId}
              run={run}
              index={index}
              top={start - virtual.options.scrollMargin}
              isActive={index === Math.max(0, keys.active)}
              isSelected={isSelected(selection, run.id)}
              onSelect={select}
              onFocus={keys.onFocus}
            />
          );
        })}
      </div>
    </div>
  );
}

/**
 * A row above what is seen has got another height. The library would scroll from where the page was at its last event, and
 * take back what a key has scrolled since.
 */
function keepInPlace({ end }: VirtualItem, delta: number): false {
  if (end <= scrollY) scrollBy(0, delta);
  return false;
}

const HEAD = { role: "row" } as const;

function HeadRow({ rows, selection, onSelect }: Pick<RunTableProps, "selection" | "onSelect"> & Pick<RunList, "rows">) {
  const { runs: texts } = useTexts();
  return (
    <div className="run-row head" {...HEAD}>
      <Cell role="columnheader" name="select">
        <label>
          <input
            type="checkbox"
            aria-label={texts.selectAll}
            checked={rows.length > 0 && rows.every(({ id }) => isSelected(selection, id))}
            onChange={() => onSelect((before) => allToggled(before, rows))}
          />
        </label>
      </Cell>
      {COLUMNS.map((name) => (
        <Cell key={name} role="columnheader" name={name}>
          {texts.columns[name]}
        </Cell>
      ))}
    </div>
  );
}

/** The row with the focus stays in the page: the focus would be lost with it. */
function withRow(row: number, shown: readonly number[]): number[] {
  const all = row === -1 || shown.includes(row) ? shown : [...shown, row];
  return [...all].sort((one, other) => one - other);
}

/** Where an element begins in the page, in pixels. */
function useOffset(element: { readonly current: HTMLElement | null }): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current !== null) setOffset(Math.round(current.getBoundingClientRect().top + scrollY));
  });
  return offset;
}
