/** When runs were created: a span before now, or between two moments. */
import { useState } from "react";
import { serverNow } from "../../server/clock.ts";
import { useTexts } from "../../texts/language.ts";
import { Choice, Labeled } from "./filter-controls.tsx";
import { isSpan, type RunFilters, SPANS } from "./run-filters.ts";

const BETWEEN = "between";
const HOUR_MS = 3_600_000;

interface TimeFilterProps {
  readonly filters: RunFilters;
  readonly onChange: (changes: Partial<RunFilters>, isTyping?: boolean) => void;
}

export function TimeFilter({ filters: { from, to }, onChange }: TimeFilterProps) {
  const { runs: texts } = useTexts();
  // A moment that is typed anew is none for a while. Its field stays.
  const [isChosen, setChosen] = useState(false);
  const isBetween = isChosen || to !== null || (from !== null && !isSpan(from));
  function choose(chosen: string | null): void {
    setChosen(chosen === BETWEEN);
    if (chosen !== BETWEEN) onChange({ from: chosen, to: null });
    else onChange({ from: new Date(serverNow() - HOUR_MS).toISOString(), to: null });
  }
  return (
    <>
      <Choice
        label={texts.time}
        any={texts.anyTime}
        chosen={isBetween ? BETWEEN : from}
        names={[
          ...Object.keys(SPANS).flatMap((span) => (isSpan(span) ? [[span, texts.spans[span]] as const] : [])),
          [BETWEEN, texts.between],
        ]}
        onChoose={choose}
      />
      {isBetween ? (
        <>
          <Moment label={texts.from} instant={from} onChange={(moment) => onChange({ from: moment }, true)} />
          <Moment label={texts.to} instant={to} onChange={(moment) => onChange({ to: moment }, true)} />
        </>
      ) : null}
    </>
  );
}

interface MomentProps {
  readonly label: string;
  readonly instant: string | null;
  readonly onChange: (instant: string | null) => void;
}

function Moment({ label, instant, onChange }: MomentProps) {
  return (
    <Labeled label={label}>
      {(id) => (
        <input
          id={id}
          type="datetime-local"
          value={instant === null || isSpan(instant) ? "" : localText(instant)}
          onChange={({ target }) => onChange(instantOfLocal(target.value))}
        />
      )}
    </Labeled>
  );
}

const MINUTE_MS = 60_000;

/** In the time zone of the browser, as its control has it. */
function localText(instant: string): string {
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

function instantOfLocal(text: string): string | null {
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : new Date(moment).toISOString();
}
