/** What is measured against what is allowed. */
const figure = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** @param slowness How much slower the machine is now than a quiet one. Limits of time grow with it. */
export function createBudgets() {
  const missed = [];
  let slowness = 1;
  const line = (what, value, unit, isMet, limit) => {
    if (!isMet) missed.push(what);
    const sign = isMet ? "" : "  MISSED";
    console.log(`${what.padEnd(58)} ${figure.format(value).padStart(8)} ${unit.padEnd(9)} ${limit}${sign}`);
  };
  return {
    missed,
    setSlowness(factor) {
      slowness = factor;
    },
    /** Milliseconds: at most so many on a quiet machine. */
    time: (what, value, most) =>
      line(what, value, "ms", value <= most * slowness, `at most ${figure.format(most * slowness)}`),
    /** Frames a second: at least so many, on a machine that moves a plain page at 60. */
    frames: (what, value, least, plain) => {
      const limit = least * Math.min(1, plain / 58);
      line(
        what,
        value,
        "frames/s",
        value >= limit,
        `at least ${figure.format(limit)} (plain page: ${figure.format(plain)})`,
      );
    },
    /** What does not depend on the machine. */
    most: (what, value, unit, most) => line(what, value, unit, value <= most, `at most ${figure.format(most)}`),
    note: (what, value, unit) => console.log(`${what.padEnd(58)} ${figure.format(value).padStart(8)} ${unit}`),
  };
}
