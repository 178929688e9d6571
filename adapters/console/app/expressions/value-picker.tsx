/** A button that opens the values which the step sees. Choosing one inserts its expression. */
import { useId, useLayoutEffect, useRef, useState } from "react";
import { Icon } from "../elements/icons.tsx";
import { placeGrowingPopover } from "../elements/place-popover.ts";
import { useTexts } from "../texts/language.ts";
import type { KnownField } from "./known-value.ts";
import { ValueTree } from "./value-tree.tsx";

interface ValuePickerProps {
  readonly variables: readonly KnownField[];
  readonly onPick: (path: string) => void;
}

export function ValuePicker({ variables, onPick }: ValuePickerProps) {
  const { expressions: texts } = useTexts();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  // Closing it gives the focus back to the button.
  useLayoutEffect(() => {
    if (isOpen) popover.current?.querySelector<HTMLElement>(".value-line button")?.focus({ preventScroll: true });
  }, [isOpen]);

  return (
    <>
      <button
        ref={button}
        type="button"
        className="button quiet icon-button"
        aria-label={texts.pick}
        title={texts.pick}
        popoverTarget={id}
      >
        <Icon name="plus" />
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={texts.pick}
        className="value-picker"
        onToggle={({ newState }) => {
          setOpen(newState === "open");
          if (newState === "open") requestAnimationFrame(() => placeGrowingPopover(popover.current, button.current));
        }}
      >
        {isOpen ? (
          <ValueTree
            fields={variables}
            onPick={(path) => {
              popover.current?.hidePopover();
              onPick(path);
            }}
          />
        ) : null}
      </div>
    </>
  );
}
