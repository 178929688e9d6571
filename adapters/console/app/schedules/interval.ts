/** Intervals as people say them: 3,600 seconds are one hour. Pure. */

const SECONDS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;

export const INTERVAL_UNITS = ["seconds", "minutes", "hours", "days"] as const;
export type IntervalUnit = (typeof INTERVAL_UNITS)[number];

export interface Interval {
  readonly amount: number;
  readonly unit: IntervalUnit;
}

/** In the largest unit of which it is a multiple: 5,400 seconds are 90 minutes. */
export function intervalOf(seconds: number): Interval {
  const unit = INTERVAL_UNITS.findLast((one) => seconds % SECONDS[one] === 0) ?? "seconds";
  return { amount: seconds / SECONDS[unit], unit };
}

export const secondsOf = ({ amount, unit }: Interval): number => Math.round(amount * SECONDS[unit]);
