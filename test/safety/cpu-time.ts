/** Tells work that grows in proportion to its input from work that grows faster. */

/** Milliseconds of CPU time that nobody minds, on any machine: work that takes less is not looked at any closer. */
const HARMLESS_MS = 20;
const STEP = 4;
const SIZES = 4;
/** What {@link STEP} times as much input may cost. Linear work takes 4 times as long, quadratic work 16 times. */
const MAX_RATIO = 10;
/** A ratio that no noise makes of a quadratic one, so that it needs no more tries. */
const CLEAR_RATIO = 5;
const FEW_TRIES = 2;
const TRIES = 5;

type Work = () => unknown;

/** CPU time of this process, in milliseconds: what else runs on the machine does not count. */
async function cpuTimeOf(work: Work): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function leastCpuTimeOf(work: Work, most: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < most; tries++) least = Math.min(least, await cpuTimeOf(work));
  return least;
}

/**
 * Whether work grows in proportion to its input. Compares minima, since a collection of garbage or a compilation may
 * fall into any one measurement.
 *
 * @param size Of the largest input. Begins with a small part of it, so that super-linear work is found before it takes
 * forever.
 * @param harmlessMs CPU time below which work passes unseen.
 */
export async function isLinear(size: number, workOn: (size: number) => Work, harmlessMs = HARMLESS_MS) {
  for (let tried = size / STEP ** (SIZES - 1); tried <= size; tried *= STEP) {
    const work = workOn(tried);
    if ((await cpuTimeOf(work)) < harmlessMs) continue;
    const part = workOn(tried / STEP);
    const isWithin = async (ratio: number, tries: number) => {
      const least = await leastCpuTimeOf(work, tries);
      return least < harmlessMs || least < ratio * (await leastCpuTimeOf(part, tries));
    };
    if (!(await isWithin(CLEAR_RATIO, FEW_TRIES)) && !(await isWithin(MAX_RATIO, TRIES))) return false;
  }
  return true;
}
