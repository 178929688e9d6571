/** A moment: how long ago it was, with the exact time on hover and for screen readers. */
import { useKnownNow, useNow } from "../../server/now.ts";
import { useFormat } from "../../texts/format.ts";

interface TimeProps {
  readonly at: string;
  /** Whether it may lie ahead, such as an end. Clocks of the server and the page differ. @default false */
  readonly mayBeAhead?: boolean;
}

export function Time({ at, mayBeAhead = false }: TimeProps) {
  const format = useFormat();
  const now = useNow();
  return (
    <time dateTime={at} title={format.exact(at)}>
      {format.relative(at, mayBeAhead ? now : Math.max(now, Date.parse(at)))}
    </time>
  );
}

/** A date without a time: how many days ago it was, with the date on hover and for screen readers. */
export function Day({ on }: { readonly on: string }) {
  const format = useFormat();
  return (
    <time dateTime={on} title={format.day(on)}>
      {format.relativeDay(on, useNow())}
    </time>
  );
}

/** The time between two moments, or up to now. */
export function Duration({ from, to }: { readonly from: string; readonly to: string | null }) {
  const format = useFormat();
  const now = useKnownNow(to === null);
  const end = to === null ? now : Date.parse(to);
  return <span className="duration">{format.duration(Math.max(0, end - Date.parse(from)))}</span>;
}
