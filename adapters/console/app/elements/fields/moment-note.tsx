/** Says which instant is used for a local time that the clocks skip or show twice. */
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { unclearMoment } from "./local-moment.ts";

export function MomentNote({ local }: { readonly local: string }) {
  const { general } = useTexts();
  const format = useFormat();
  const found = unclearMoment(local);
  if (found === null) return null;
  return (
    <span className="notes" role="status">
      {general.unclearTimes[found.kind](format.exact(found.taken))}
    </span>
  );
}
