/** Measuring: sides in turns, so that a machine whose speed drifts is fair to all; medians; a table at the end. */

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Runs each side for so many milliseconds, in turns, and gives the median operations a second of each.
 * A side is an async function that does one operation.
 */
export async function rates(sides, { rounds = 7, milliseconds = 700, at_once = 1 } = {}) {
  const seen = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (const work of Object.values(sides)) await rate(work, milliseconds, at_once);
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(sides)) seen[name].push(await rate(work, milliseconds, at_once));
  }
  return Object.fromEntries(Object.entries(seen).map(([name, values]) => [name, median(values)]));
}

/**
 * Runs a side for so many milliseconds, so many at once: operations a second, milliseconds of one, and the processor's
 * microseconds for one, collection of garbage included: what other programs do changes that least.
 */
export async function round(work, { milliseconds, at_once }) {
  const seen = [];
  const before = process.cpuUsage();
  const perSecond = await rate(
    async () => {
      const start = performance.now();
      await work();
      seen.push(performance.now() - start);
    },
    milliseconds,
    at_once,
  );
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / seen.length;
  seen.sort((one, other) => one - other);
  return { rate: perSecond, cpu, p50: at(seen, 0.5), p99: at(seen, 0.99) };
}

async function rate(work, milliseconds, at_once) {
  const start = performance.now();
  const end = start + milliseconds;
  let done = 0;
  const lane = async () => {
    while (performance.now() < end) {
      await work();
      done++;
    }
  };
  await Promise.all(Array.from({ length: at_once }, lane));
  return (done * 1_000) / (performance.now() - start);
}

/** Milliseconds of each of so many calls, sorted. */
export async function times(work, count) {
  const seen = [];
  for (let call = 0; call < count; call++) {
    const start = performance.now();
    await work(call);
    seen.push(performance.now() - start);
  }
  return seen.sort((one, other) => one - other);
}

export function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

const figure = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

/** One line of a report: what, how much, and what it must reach. */
export function report(what, value, unit = "", goal = "") {
  const goalText = goal === "" ? "" : `   (goal: ${goal})`;
  console.log(`${what.padEnd(64)} ${figure.format(value).padStart(10)} ${unit.padEnd(6)}${goalText}`);
}

/** Processor time of a call, in microseconds: the least of five rounds, after one to warm up. */
export async function cpuOf(calls, work) {
  const rounds = [];
  for (let round = 0; round < 6; round++) {
    const before = process.cpuUsage();
    for (let call = 0; call < calls; call++) await work();
    const { user, system } = process.cpuUsage(before);
    if (round > 0) rounds.push((user + system) / calls);
  }
  return Math.min(...rounds);
}

/**
 * Processor microseconds of a call, of each side: the lower quartile of rounds in turns. Other programs slow rounds down,
 * and never speed one up. A side is an async function that does one operation.
 */
export async function cpuInTurns(sides, { rounds = 25, calls = 1_000 } = {}) {
  const seen = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let turn = -2; turn < rounds; turn++) {
    for (const [name, work] of Object.entries(sides)) {
      const before = process.cpuUsage();
      for (let call = 0; call < calls; call++) await work();
      const { user, system } = process.cpuUsage(before);
      if (turn >= 0) seen[name].push((user + system) / calls);
    }
  }
  return Object.fromEntries(
    Object.entries(seen).map(([name, values]) => [
      name,
      at(
        values.sort((one, other) => one - other),
        0.25,
      ),
    ]),
  );
}
