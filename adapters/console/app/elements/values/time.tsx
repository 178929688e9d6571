/** A moment: how long ago it was, with the exact time on hover and for screen readers. */
import { useNow } from "../../server/now.ts";
import { useFormat } from "../../texts/format.ts";

export function Time({ at }: { readonly at: string }) {
  const format = useFormat();
  const now = useNow();
  return (
    <time dateTime={at} title={format.exact(at)}>
      {format.relative(at, now)}
    </time>
  );
}

/** The time between two moments, or up to now. */
export function Duration({ from, to }: { readonly from: string; readonly to: string | null }) {
  const format = useFormat();
  const now = useNow();
  const end = to === null ? now : Date.parse(to);
  return <span className="duration">{format.duration(Math.max(0, end - Date.parse(from)))}</span>;
}
