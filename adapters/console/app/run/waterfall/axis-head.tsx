/** The head of the waterfall: times since the run was created, the stretch in the queue, what is cut, and a way to the top. */
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { Run } from "../../../../../src/runs/run.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { cutLabelPlace, labelledMoments } from "./axis-labels.ts";
import type { AxisPart, TimeAxis } from "./time-axis.ts";
import { ToTop } from "./to-top.tsx";

/** Share of the axis below which the stretch in the queue is no more than a mark that says nothing. */
const MIN_QUEUED = 0.03;

export const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

interface AxisHeadProps {
  readonly axis: TimeAxis;
  readonly run: Run;
  /** Milliseconds since 1970. The axis of an open run ends later. */
  readonly now: number;
}

export function AxisHead({ axis, run, now }: AxisHeadProps) {
  const { run: texts } = useTexts();
  const format = useFormat();
  const ruler = useRef<HTMLSpanElement>(null);
  const width = useWidth(ruler);
  const created = Date.parse(run.created_at);
  const started = run.started_at === null ? null : Date.parse(run.started_at);
  const queuedUntil = axis.placeOf(started ?? axis.parts.at(-1)?.to ?? created);
  const queuedFor = (started ?? now) - created;
  // What waits for a moment or for files is in no queue yet.
  const isQueueShown = (started !== null || run.status !== "waiting") && queuedFor > 0 && queuedUntil > MIN_QUEUED;
  const cutLabel = ({ from, to }: AxisPart) =>
    (started !== null && to <= started ? texts.inQueue : texts.idle)(format.duration(Math.min(to, now) - from));
  return (
    <div className="axis-head">
      {isQueueShown ? (
        <span className="queue-legend">
          <span className="bar queued" aria-hidden="true" />
          <bdi>{texts.inQueue(format.duration(queuedFor))}</bdi>
        </span>
      ) : null}
      {run.begins_at === undefined ? null : (
        <span className="queue-legend">
          <bdi>{texts.beginsAt(format.short(run.begins_at))}</bdi>
        </span>
      )}
      <ToTop />
      <span ref={ruler} className="axis">
        {isQueueShown ? (
          <span className="bar queued" style={{ left: 0, width: percent(queuedUntil) }} title={texts.bar.queued} />
        ) : null}
        {axis.parts
          .filter(({ isCut }) => isCut)
          .map((cut) => (
            <span
              key={cut.from}
              className="cut-label"
              style={{ left: percent(cutLabelPlace(cut)) }}
              title={texts.cutText}
            >
              <bdi>{cutLabel(cut)}</bdi>
            </span>
          ))}
        {labelledMoments(axis, width).map((moment) => (
          <span key={moment} className="tick" style={{ left: percent(axis.placeOf(moment)) }}>
            <bdi>{format.duration(moment - created)}</bdi>
          </span>
        ))}
      </span>
    </div>
  );
}

/** The width of an element in pixels: 0 before it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
