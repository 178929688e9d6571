/** Steps of time that people count in. Pure. */

const ROUND = [1, 2, 5];

/** The least step of at least so many milliseconds that is round in milliseconds, seconds, minutes, hours or days. */
export function roundStep(least: number): number {
  for (const unit of [60_000, 3_600_000, 86_400_000]) {
    for (const count of unit === 86_400_000 ? ROUND : [1, 2, 5, 10, 20]) {
      if (least > 20_000 && count * unit >= least) return count * unit;
    }
  }
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return (ROUND.find((count) => count * power >= least) ?? 10) * power;
}
