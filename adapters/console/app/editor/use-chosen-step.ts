/** The step that the address names, where the focus goes with it, and whether its panel is open. */
import { type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { usePhone } from "../elements/media-queries.ts";
import { useReach } from "../elements/use-reach.ts";
import { useStable } from "../elements/use-stable.ts";
import { mayLeave, useQueryParams } from "../routing/location.ts";
import type { OpenStep } from "./outline/row-actions.ts";
import { focusPanel } from "./panel/focus-panel.ts";

export interface ChosenStep {
  /** The element around the views and the panel. */
  readonly room: RefObject<HTMLDivElement | null>;
  readonly panel: RefObject<HTMLElement | null>;
  /** Key of the step; null for none. */
  readonly chosen: string | null;
  /** Whether its panel is shown. */
  readonly isOpen: boolean;
  /** The next ones return false if somebody stays with a step in which something is half typed. */
  readonly choose: (step: string | null) => boolean;
  /** Chooses a step, and puts the focus on it once it is drawn. */
  readonly reach: (step: string) => void;
  /** Chooses a step, and puts the focus into its panel: at one of its conditions, if it is given. */
  readonly open: OpenStep;
  /** Chooses a step and opens its panel, without the focus. */
  readonly show: (step: string) => boolean;
  /** A step with a new key stays chosen. @param names New keys by those before. */
  readonly follow: (names: ReadonlyMap<string, string>) => void;
  /** The focus goes back to the chosen step. @param step The one that the panel has shown. */
  readonly leave: (step: string) => void;
  readonly close: (step: string) => void;
}

/** From the focus to the click of one press. */
const PRESS_MS = 500;

/** @param hasStep Whether the draft has a step now: nothing can be lost in one that is gone, or has another key. */
export function useChosenStep(hasStep: (step: string) => boolean): ChosenStep {
  const [params, setParams] = useQueryParams();
  const chosen = params.get("step");
  // There, the panel is a page of its own: only opening a step shows it, and not the focus that passes.
  const isPhone = usePhone();
  const [isOpened, setOpened] = useState(chosen !== null);
  const room = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLElement>(null);
  /** Whether a step gets the focus without being chosen: the outline chooses what is focused. */
  const isQuiet = useRef(false);
  /** The chosen step, before the page is drawn again. */
  const newest = useRef(chosen);
  newest.current = chosen;
  /** The step that somebody has not gone to. A press gives it the focus first, and then is a click: one question is enough. */
  const refused = useRef<{ readonly step: string | null; readonly until: number }>({ step: null, until: 0 });
  const focus = useReach(room, isQuiet);

  // The address changes with each step that is passed by the keyboard, so it replaces the one before.
  const choose = useStable((step: string | null): boolean => {
    if (isQuiet.current || step === newest.current) return true;
    if (step === refused.current.step && performance.now() < refused.current.until) return false;
    if (newest.current !== null && hasStep(newest.current) && !mayLeave("step")) {
      refused.current = { step, until: performance.now() + PRESS_MS };
      return false;
    }
    newest.current = step;
    setParams({ step }, { replace: true });
    return true;
  });
  const reach = useStable((step: string) => {
    if (choose(step)) focus(step);
  });
  const show = useStable((step: string): boolean => {
    if (!choose(step)) return false;
    setOpened(true);
    return true;
  });
  const open = useStable((step: string, condition?: string) => {
    // The panel is for the next key, however fast it follows. On a phone, the step that has the focus gets hidden.
    const isShown = flushSync(() => show(step));
    if (!isShown) return;
    const place = condition === undefined ? null : `[data-condition="${CSS.escape(condition)}"]`;
    const field = place === null ? null : (panel.current?.querySelector<HTMLElement>(place) ?? null);
    if (field !== null) field.focus();
    else if (panel.current !== null) focusPanel(panel.current, isPhone);
  });
  const follow = useStable((names: ReadonlyMap<string, string>) => {
    const next = newest.current === null ? undefined : names.get(newest.current);
    if (next !== undefined) choose(next);
  });
  return {
    room,
    panel,
    chosen,
    isOpen: isOpened || !isPhone,
    choose,
    reach,
    open,
    show,
    follow,
    leave(step) {
      if (isPhone && !mayLeave("step")) return;
      // A key that was being changed takes effect.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      setOpened(false);
      focus(newest.current ?? step);
    },
    close(step) {
      if (isPhone ? !mayLeave("step") : !choose(null)) return;
      setOpened(false);
      focus(step, true);
    },
  };
}
