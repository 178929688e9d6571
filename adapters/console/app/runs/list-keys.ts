/** The keyboard in the list of runs. One row can be reached with Tab; from there, keys move, open and select. */
import { type KeyboardEvent, type RefObject, useRef, useState } from "react";
import type { RunRow } from "../live/run-rows.ts";
import { useSettings } from "../settings/use-settings.ts";
import { actionOf } from "../shortcuts/shortcut-table.ts";
import { keepInView } from "./keep-in-view.ts";
import { openRun, useOpenedRun } from "./list-return.ts";
import { LIST_SHORTCUTS, type ListAction } from "./list-shortcuts.ts";
import { allToggled, extended, NOTHING, type Selection, toggled } from "./selection.ts";

interface ListKeysParts {
  readonly appId: string;
  readonly rows: readonly RunRow[];
  readonly onSelect: (change: (selection: Selection) => Selection) => void;
  readonly body: RefObject<HTMLElement | null>;
}

const PAGE_ROWS = 10;

export function useListKeys({ appId, rows, onSelect, body }: ListKeysParts) {
  const opened = useOpenedRun(body, (id) => rows.some((run) => run.id === id));
  const [active, setActive] = useState(opened);
  /** The row that the last key has led to. */
  const wanted = useRef<string | null>(null);
  const { hasShortcuts } = useSettings();
  const at = rows.findIndex(({ id }) => id === active);

  function move(to: number): void {
    const index = Math.max(0, Math.min(rows.length - 1, to));
    const run = rows[index];
    if (run === undefined) return;
    setActive(run.id);
    wanted.current = run.id;
    // By then, the row is in the page. The focus scrolls it to where no bar covers it.
    requestAnimationFrame(() => {
      if (wanted.current !== run.id) return;
      const row = body.current?.querySelector<HTMLElement>(`[data-run="${run.id}"]`);
      if (row == null) return;
      row.focus();
      keepInView(row, () => wanted.current === run.id);
    });
  }

  function actionsOf(run: RunRow): Readonly<Record<ListAction, () => void>> {
    return {
      next: () => move(at + 1),
      previous: () => move(at - 1),
      pageDown: () => move(at + PAGE_ROWS),
      pageUp: () => move(at - PAGE_ROWS),
      first: () => move(0),
      last: () => move(rows.length - 1),
      open: () => openRun(appId, run.id),
      select: () => onSelect((before) => toggled(before, run)),
      selectTo: () => onSelect((before) => extended(before, rows, run)),
      selectAll: () => onSelect((before) => allToggled(before, rows)),
      clear: () => onSelect(() => NOTHING),
    };
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const { target } = event;
    // What stands in a row has its keys, too, except for those that it uses itself.
    const isOnRow = target instanceof HTMLElement && target.closest("[data-run]") !== null && !isUsedBy(target, event);
    const run = rows[at];
    const action = actionOf(LIST_SHORTCUTS, event, hasShortcuts);
    if (!isOnRow || run === undefined || action === undefined) return;
    event.preventDefault();
    actionsOf(run)[action]();
  }

  return { active: at, onFocus: setActive, onKeyDown };
}

const isUsedBy = (target: HTMLElement, { key }: KeyboardEvent): boolean =>
  (key === " " && target.matches("input")) || (key === "Enter" && target.matches("a"));
