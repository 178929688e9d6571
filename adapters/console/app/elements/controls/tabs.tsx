/** Tabs: one stop for the keyboard, then arrows (ARIA Authoring Practices, tabs). */
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { seenKey } from "../seen-key.ts";
import "./tabs.css";

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
}

interface TabsProps<Name extends string> {
  /** Names the group for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  /** What the chosen tab shows. */
  readonly children: ReactNode;
}

export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => showChosen(list.current), [chosen, tabs.length]);

  function move(event: KeyboardEvent<HTMLElement>): void {
    const at = tabs.findIndex(({ name }) => name === chosen);
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    // With another key, they are those of the browser: Alt and the left arrow go back.
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey;
    const step = isPlain ? steps[seenKey(event)] : undefined;
    if (step === undefined) return;
    event.preventDefault();
    const next = (step + tabs.length) % tabs.length;
    const tab = tabs[next];
    if (tab === undefined) return;
    onChoose(tab.name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  }

  return (
    <div className="tabs">
      <div ref={list} role="tablist" aria-label={label} className="tab-list" onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab.name === chosen}
            data-word={tab.label}
            aria-controls={`${id}-panel`}
            tabIndex={tab.name === chosen ? 0 : -1}
            onClick={() => onChoose(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} className="tab-panel">
        {children}
      </div>
    </div>
  );
}

/** Scrolls the row of tabs, but not the page. */
function showChosen(list: HTMLElement | null): void {
  const tab = list?.querySelector("[aria-selected=true]")?.getBoundingClientRect();
  if (list === null || tab === undefined) return;
  const { left, right } = list.getBoundingClientRect();
  if (tab.left < left) list.scrollLeft -= left - tab.left;
  else if (tab.right > right) list.scrollLeft += tab.right - right;
}
