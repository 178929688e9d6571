/**
 * The axis of a waterfall: from moments to places, with long idle stretches cut. A run may wait for days between seconds of
 * work. Pure.
 */
import { roundStep } from "./round-step.ts";

/** A stretch of time, in milliseconds since 1970. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A part of the axis: shown to scale, or cut. */
export interface AxisPart extends Stretch {
  /** Share of the axis at which it starts and ends, from 0 to 1. */
  readonly start: number;
  readonly end: number;
  readonly isCut: boolean;
}

export interface TimeAxis {
  readonly parts: readonly AxisPart[];
  /** The place of a moment, from 0 to 1. */
  placeOf(moment: number): number;
}

/** Share of the axis from which an idle stretch is cut. */
const LONG = 1 / 5;
/** Share of the axis that a cut stretch takes. */
const CUT_WIDTH = 0.06;
const MAX_CUTS = 5;

/**
 * @param busy Stretches in which something ran.
 * @param started When the run left the queue: it was not idle before.
 * @param latest Where what has happened ends. The axis of an open run ends later.
 */
export function timeAxis({ from, to }: Stretch, busy: readonly Stretch[], started = from, latest = to): TimeAxis {
  const end = Math.max(to, from + 1);
  const gaps = idleStretches({ from, to: end }, busy).flatMap((gap) => splitAt(gap, started));
  const cuts = longGaps({ from, to: Math.min(end, latest) }, gaps);
  const cutTime = cuts.reduce((sum, cut) => sum + cut.to - cut.from, 0);
  const shownTime = end - from - cutTime;
  const scale = (1 - cuts.length * CUT_WIDTH) / Math.max(1, shownTime);
  const parts: AxisPart[] = [];
  let moment = from;
  let place = 0;
  const add = (until: number, isCut: boolean) => {
    if (until <= moment) return;
    const width = isCut ? CUT_WIDTH : (until - moment) * scale;
    parts.push({ from: moment, to: until, start: place, end: place + width, isCut });
    moment = until;
    place += width;
  };
  for (const cut of cuts) {
    add(cut.from, false);
    add(cut.to, true);
  }
  add(end, false);
  return { parts, placeOf: (at) => placeIn(parts, at) };
}

/** Parts of the axis of an open run in which it grows. */
const GROWTH = 20;

/**
 * Where the axis of a run ends that goes on: a little later than its latest moment, so that it does not change with each
 * event, which would draw all steps anew.
 */
export function endOfOpen(from: number, latest: number): number {
  const step = roundStep((latest - from) / GROWTH);
  return from + Math.ceil((latest - from) / step) * step;
}

function placeIn(parts: readonly AxisPart[], moment: number): number {
  for (const { from, to, start, end } of parts) {
    if (moment <= from) return start;
    if (moment < to) return start + ((moment - from) / (to - from)) * (end - start);
  }
  return 1;
}

/** What lies between the busy stretches. */
function idleStretches({ from, to }: Stretch, busy: readonly Stretch[]): Stretch[] {
  const idle: Stretch[] = [];
  let moment = from;
  for (const stretch of [...busy].sort((one, other) => one.from - other.from)) {
    if (stretch.from > moment) idle.push({ from: moment, to: Math.min(stretch.from, to) });
    moment = Math.max(moment, stretch.to);
  }
  if (moment < to) idle.push({ from: moment, to });
  return idle;
}

function splitAt({ from, to }: Stretch, moment: number): Stretch[] {
  if (moment <= from || moment >= to) return [{ from, to }];
  return [
    { from, to: moment },
    { from: moment, to },
  ];
}

/** The gaps that are longer than a fifth of what is left once longer ones are cut, in the order of time. */
function longGaps({ from, to }: Stretch, idle: readonly Stretch[]): Stretch[] {
  let left = to - from;
  const cuts: Stretch[] = [];
  // What has not come is no idle time.
  const lengthOf = (gap: Stretch) => Math.min(gap.to, to) - gap.from;
  for (const gap of idle.toSorted((one, other) => lengthOf(other) - lengthOf(one))) {
    const length = lengthOf(gap);
    // A cut of a short time would hide more than it saves.
    if (cuts.length === MAX_CUTS || length < left * LONG || length < MIN_CUT_MS) break;
    // Of a run that only waits, nothing would be left.
    if (length >= left) break;
    cuts.push(gap);
    left -= length;
  }
  return cuts.sort((one, other) => one.from - other.from);
}

const MIN_CUT_MS = 1_000;
