/** A menu behind a button: a popover of the browser, with arrow keys. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { usePlace } from "../../routing/location.ts";
import { Icon, type IconName } from "../icons.tsx";
import { keepPlaced } from "../place-popover.ts";
import "./menu.css";

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly isDangerous?: boolean;
  /** Why it cannot be chosen. */
  readonly refusal?: string | undefined;
  readonly onChoose: () => void;
}

interface MenuProps {
  /** What the button says to people who see only its sign. */
  readonly label: string;
  /** @default the sign "more" */
  readonly face?: ReactNode;
  readonly items: readonly MenuItem[];
  /** The look of its button. @default "quiet" */
  readonly kind?: "quiet" | "plain";
  /** Of its button. @default 0 */
  readonly tabIndex?: 0 | -1;
  /**
   * Whether it is one of many, which are drawn when they open: else their items would be most of what the page consists of.
   * The command menu offers the items of the other ones. @default false
   */
  readonly isInRow?: boolean;
}

export function Menu({ label, face, items, kind = "quiet", tabIndex = 0, isInRow = false }: MenuProps) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { path } = usePlace();
  useEffect(() => () => void (isOpen && popover.current?.hidePopover()), [path, isOpen]);
  // Its row may move under it.
  useEffect(() => (isOpen ? keepPlaced(popover.current, button.current) : undefined), [isOpen]);

  function move(event: KeyboardEvent): void {
    const all: readonly (Element & HTMLOrSVGElement)[] = [
      ...(popover.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? []),
    ];
    const at = all.findIndex((item) => item.matches(":focus"));
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: all.length - 1,
    };
    const next = steps[event.key] ?? itemWith(event, all, at);
    if (next === undefined) {
      if (event.key === "Tab") popover.current?.hidePopover();
      return;
    }
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={`button ${kind}${face === undefined ? " icon-button" : ""}`}
        aria-label={face === undefined ? label : undefined}
        title={label}
        aria-haspopup="menu"
        tabIndex={tabIndex}
        popoverTarget={id}
      >
        {face ?? <Icon name="more" />}
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className="menu"
        tabIndex={-1}
        onBeforeToggle={({ newState }) => {
          if (newState === "open") flushSync(() => setOpen(true));
        }}
        onToggle={({ newState }) => {
          if (newState !== "open") return setOpen(false);
          popover.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
        }}
        onKeyDown={move}
      >
        {(isOpen || !isInRow ? items : []).map((item, index) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={item.isDangerous === true ? "dangerous" : undefined}
            aria-disabled={item.refusal !== undefined}
            aria-describedby={item.refusal === undefined ? undefined : `${id}-${index}`}
            onClick={() => {
              if (item.refusal !== undefined) return;
              popover.current?.hidePopover();
              item.onChoose();
            }}
          >
            {item.icon === undefined ? null : <Icon name={item.icon} />}
            {item.label}
            {item.refusal === undefined ? null : (
              <small id={`${id}-${index}`} aria-hidden>
                {item.refusal}
              </small>
            )}
          </button>
        ))}
      </div>
    </>
  );
}

/** The next item that starts with the letter of a key, as in the lists of browsers; undefined for another key. */
function itemWith({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, all: readonly Element[], at: number) {
  if (key.length !== 1 || key === " " || ctrlKey || metaKey || altKey) return undefined;
  const letter = key.toLowerCase();
  for (let step = 1; step <= all.length; step++) {
    const next = (at + step) % all.length;
    if (all[next]?.textContent?.trim().toLowerCase().startsWith(letter) === true) return next;
  }
  return undefined;
}
