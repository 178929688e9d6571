/** Where the labels of an axis stand: as many as have room. Pure. */
import { roundStep } from "./round-step.ts";
import type { AxisPart, TimeAxis } from "./time-axis.ts";

/** Room for a label such as `400 ms`, for one such as `59 min 20 s`, and for that of a cut, in pixels. */
const SHORT_WIDTH = 60;
const LONG_WIDTH = 84;
const CUT_LABEL_WIDTH = 120;
const MAX_LABELS = 7;

/** The moments that have a label, at even distances from the start of the axis. @param width Of the axis, in pixels. */
export function labelledMoments(axis: TimeAxis, width: number): readonly number[] {
  const [first] = axis.parts;
  const last = axis.parts.at(-1);
  if (first === undefined || last === undefined) return [];
  const label = last.to - first.from < 60_000 ? SHORT_WIDTH : LONG_WIDTH;
  const most = Math.max(1, Math.min(MAX_LABELS, Math.floor(width / label)));
  const shown = axis.parts.filter(({ isCut }) => !isCut);
  const step = roundStep(shown.reduce((sum, { from, to }) => sum + to - from, 0) / most);
  const cuts = axis.parts.filter(({ isCut }) => isCut).map((cut) => cutLabelOf(cut, width));
  let free = 0;
  return shown
    .flatMap((part) => momentsIn(part, first.from, step))
    .filter((moment) => {
      const from = axis.placeOf(moment) * width;
      const to = from + label;
      const hasRoom = from >= free && to <= Math.max(width, label);
      if (!hasRoom || cuts.some((cut) => from < cut.to && to > cut.from)) return false;
      free = to;
      return true;
    });
}

/** Round moments of a part, and its start if it has none of them: every part says when it is. */
function momentsIn({ from, to }: AxisPart, start: number, step: number): readonly number[] {
  const moments: number[] = [];
  for (let moment = start + Math.ceil((from - start) / step) * step; moment < to; moment += step) moments.push(moment);
  return moments.length === 0 ? [from] : moments;
}

/** Share of the axis at which the label of a cut is centred: it never leaves the axis. */
export const cutLabelPlace = ({ start, end }: AxisPart): number => Math.min(0.86, Math.max(0.14, (start + end) / 2));

function cutLabelOf(cut: AxisPart, width: number): { readonly from: number; readonly to: number } {
  const centre = cutLabelPlace(cut) * width;
  return { from: centre - CUT_LABEL_WIDTH / 2, to: centre + CUT_LABEL_WIDTH / 2 };
}
