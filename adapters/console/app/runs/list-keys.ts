/** The keyboard in the list of runs: arrows or j and k move, Enter opens, x and the space bar select. */
import { type KeyboardEvent, type RefObject, useState } from "react";
import type { RunRow } from "../live/run-rows.ts";
import { navigate } from "../routing/location.ts";
import { useSettings } from "../settings/use-settings.ts";
import { allToggled, extended, NOTHING, type Selection, toggled } from "./selection.ts";

interface ListKeysParts {
  readonly appId: string;
  readonly rows: readonly RunRow[];
  readonly onSelect: (change: (selection: Selection) => Selection) => void;
  readonly body: RefObject<HTMLElement | null>;
  readonly scrollTo: (index: number) => void;
}

const PAGE_ROWS = 10;

export function useListKeys({ appId, rows, onSelect, body, scrollTo }: ListKeysParts) {
  const [active, setActive] = useState<string | null>(null);
  const { hasShortcuts } = useSettings();
  const at = rows.findIndex(({ id }) => id === active);

  function move(to: number): void {
    const index = Math.max(0, Math.min(rows.length - 1, to));
    const run = rows[index];
    if (run === undefined) return;
    setActive(run.id);
    scrollTo(index);
    // The row may not be in the page yet.
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-run="${run.id}"]`)?.focus());
  }

  const moves: Readonly<Record<string, () => number>> = {
    ArrowDown: () => at + 1,
    ArrowUp: () => at - 1,
    PageDown: () => at + PAGE_ROWS,
    PageUp: () => at - PAGE_ROWS,
    Home: () => 0,
    End: () => rows.length - 1,
  };
  const letters: Readonly<Record<string, string>> = hasShortcuts ? { j: "ArrowDown", k: "ArrowUp", x: " " } : {};

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const isOnRow = event.target instanceof HTMLElement && event.target.dataset["run"] !== undefined;
    if (!isOnRow || event.altKey) return;
    const run = rows[at];
    const hasControl = event.ctrlKey || event.metaKey;
    const key = letters[event.key.toLowerCase()] ?? event.key;
    const to = moves[key]?.();
    if (hasControl && key.toLowerCase() === "a") onSelect((before) => allToggled(before, rows));
    else if (hasControl) return;
    else if (to !== undefined) move(to);
    else if (run === undefined) return;
    else if (key === "Enter") navigate(`/apps/${appId}/runs/${run.id}`);
    else if (key === "Escape") onSelect(() => NOTHING);
    else if (key === " ") onSelect((before) => (event.shiftKey ? extended(before, rows, run) : toggled(before, run)));
    else return;
    event.preventDefault();
  }

  return { active: at, onFocus: setActive, onKeyDown };
}
