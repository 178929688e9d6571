/** The head of the waterfall: times since the run was created, the stretch in the queue, and what is cut. */
import type { Run } from "../../../../../src/runs/run.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { type TimeAxis, ticksOf } from "./time-axis.ts";

const MAX_TICKS = 6;
/** Share of the axis below which two labels would cover each other. */
const MIN_DISTANCE = 0.1;

export const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

export function AxisHead({ axis, run }: { readonly axis: TimeAxis; readonly run: Run }) {
  const { run: texts } = useTexts();
  const format = useFormat();
  const created = Date.parse(run.created_at);
  const started = run.started_at === null ? null : Date.parse(run.started_at);
  const queuedUntil = axis.placeOf(started ?? axis.parts.at(-1)?.to ?? created);
  return (
    <div className="axis-head">
      <span className="axis">
        {queuedUntil > 0.005 ? (
          <span className="bar queued" style={{ left: 0, width: percent(queuedUntil) }} title={texts.bar.queued} />
        ) : null}
        {axis.parts
          .filter(({ isCut }) => isCut)
          .map(({ from, to, start, end }) => (
            <span
              key={from}
              className="cut-label"
              style={{ left: percent(Math.min(0.86, Math.max(0.14, (start + end) / 2))) }}
            >
              <bdi>{texts.idle(format.duration(to - from))}</bdi>
            </span>
          ))}
        {spacedTicks(axis).map((moment) => (
          <span key={moment} className="tick" style={{ left: percent(axis.placeOf(moment)) }}>
            <bdi>{format.duration(moment - created)}</bdi>
          </span>
        ))}
      </span>
    </div>
  );
}

function spacedTicks(axis: TimeAxis): readonly number[] {
  let last = -1;
  return ticksOf(axis, MAX_TICKS).filter((moment) => {
    const place = axis.placeOf(moment);
    if (place - last < MIN_DISTANCE || place > 0.94 || isCovered(axis, place)) return false;
    last = place;
    return true;
  });
}

/** Whether the label of a cut stands there. */
const isCovered = ({ parts }: TimeAxis, place: number): boolean =>
  parts.some(({ isCut, start, end }) => isCut && Math.abs((start + end) / 2 - place) < MIN_DISTANCE);
