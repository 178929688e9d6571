/** The steps of a run with their times: what ran when, for how long, how often, and where the time went. */
import { type KeyboardEvent, useEffect, useMemo, useState } from "react";
import { useNarrow } from "../../elements/media-queries.ts";
import { useKnownNow } from "../../server/now.ts";
import { actionOf } from "../../shortcuts/shortcut-table.ts";
import { useTexts } from "../../texts/language.ts";
import { hasEnded } from "../has-ended.ts";
import { useShownRun } from "../run-context.ts";
import { RUN_SHORTCUTS, type RunAction } from "../run-shortcuts.ts";
import { AxisHead } from "./axis-head.tsx";
import { barsOf, busyStretches } from "./bars.ts";
import { rowOf, showRow, showRowBesideFocus } from "./show-row.ts";
import { endOfOpen, type TimeAxis, timeAxis } from "./time-axis.ts";
import { useTries } from "./use-tries.ts";
import { WaterfallRow } from "./waterfall-row.tsx";
import "./waterfall.css";

interface WaterfallProps {
  /** Whether the step that runs stays in view. */
  readonly isFollowing: boolean;
  /** Called when a person scrolls. */
  readonly onScrollAway: () => void;
}

export function Waterfall({ isFollowing, onScrollAway }: WaterfallProps) {
  const { run: texts } = useTexts();
  const { live, definition, chosen, choose, comparison } = useShownRun();
  const { run } = live;
  const isOpen = !hasEnded(run.status);
  // Only an open run grows with the time.
  const clock = useKnownNow(isOpen);
  const now = isOpen ? clock : Date.parse(run.finished_at ?? run.created_at);
  const tries = useTries(now);
  // Nothing is executed of a note.
  const steps = useMemo(() => run.steps.filter(({ type }) => type !== "note"), [run.steps]);
  const start = steps.find(({ type }) => type === "input");
  const bars = steps.map((step) =>
    barsOf(step, definition.byKey.get(step.key), tries.get(step.key) ?? NO_TRIES, now, step === start),
  );
  const from = Date.parse(run.created_at);
  const latest = Math.max(now, latestOf(steps));
  const started = run.started_at === null ? undefined : Date.parse(run.started_at);
  const to = isOpen ? endOfOpen(from, latest) : latest;
  const axis = useSameAxis(timeAxis({ from, to }, busyStretches(bars), started, latest));
  // An address may name a step far below. Afterwards, the list stays where a person has scrolled to.
  useEffect(() => {
    if (chosen !== null) showRow(chosen);
  }, []);
  useFollow(isFollowing ? (steps.find(({ status }) => status === "running")?.key ?? null) : null);
  const isNarrow = useNarrow();
  const [focused, setFocused] = useState<string | null>(null);
  const wanted = chosen ?? focused;
  // A note is chosen on the canvas only.
  const focusable = steps.find(({ key }) => key === wanted)?.key ?? steps[0]?.key ?? null;

  function move(event: KeyboardEvent): void {
    if (!(event.target instanceof HTMLElement)) return;
    const at = steps.findIndex(({ key }) => key === (event.target as HTMLElement).dataset["row"]);
    if (at < 0) return;
    const places: Readonly<Partial<Record<RunAction, number>>> = {
      next: at + 1,
      previous: at - 1,
      first: 0,
      last: steps.length - 1,
    };
    const action = actionOf(RUN_SHORTCUTS, event, false);
    const next = steps[(action === undefined ? undefined : places[action]) ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    // There, a step is a page of its own, which only Enter opens.
    if (!isNarrow) choose(next.key);
    rowOf(next.key)?.focus();
  }

  return (
    <div className="waterfall" onWheel={onScrollAway} onTouchMove={onScrollAway}>
      <AxisHead axis={axis} run={run} now={now} />
      <ol
        aria-label={texts.steps}
        onKeyDown={move}
        onFocus={({ target }) => setFocused(target.dataset["row"] ?? focused)}
      >
        {steps.map((step, index) => (
          <WaterfallRow
            key={step.key}
            step={step}
            definition={definition.byKey.get(step.key)}
            bars={bars[index] ?? NO_BARS}
            axis={axis}
            isChosen={chosen === step.key}
            isFocusable={focusable === step.key}
            isDifferent={comparison?.differing.has(step.key) === true}
            onChoose={choose}
          />
        ))}
      </ol>
    </div>
  );
}

const NO_TRIES: never[] = [];
const NO_BARS = { bars: [], tries: [] };

/** Clocks of the server and the page differ. */
function latestOf(
  steps: readonly { readonly started_at: string | null; readonly finished_at: string | null }[],
): number {
  return steps.reduce((latest, { started_at, finished_at }) => {
    const end = finished_at ?? started_at;
    return end === null ? latest : Math.max(latest, Date.parse(end));
  }, 0);
}

/** The same object while nothing in it changes, so that rows are not drawn anew. */
function useSameAxis(axis: TimeAxis): TimeAxis {
  const key = JSON.stringify(axis.parts);
  return useMemo(() => axis, [key]);
}

/** Nothing moves while a person looks elsewhere: only a step that begins to run comes into view. */
function useFollow(running: string | null): void {
  useEffect(() => {
    if (running !== null) showRowBesideFocus(running);
  }, [running]);
}
