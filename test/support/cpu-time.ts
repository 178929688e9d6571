/** Tells work that grows in proportion to its input from work that grows faster. */

/** Milliseconds of CPU time that nobody minds, on any machine: work that takes less is not looked at any closer. */
const HARMLESS_MS = 20;
const STEP = 4;
/** What {@link STEP} times as much input may cost. Linear work takes 4 times as long, quadratic work 16 times. */
const MAX_RATIO = 10;
/** A ratio that no noise makes of a quadratic one, so that it needs no more tries. */
const CLEAR_RATIO = 5;
const FEW_TRIES = 2;
const MORE_TRIES = 3;

type Work = () => unknown;

/** CPU time of this process, in milliseconds: what else runs on the machine does not count. */
async function cpuTimeOf(work: Work): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Gives the least of all measurements so far, after so many more. */
function leastCpuTimeOf(work: Work): (more: number) => Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  return async (more) => {
    for (let tries = 0; tries < more; tries++) least = Math.min(least, await cpuTimeOf(work));
    return least;
  };
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
  for (const tried of [size / STEP ** 2, size]) {
    const work = workOn(tried);
    if (await isHarmless(work, harmlessMs)) continue;
    const [whole, part] = [leastCpuTimeOf(work), leastCpuTimeOf(workOn(tried / STEP))];
    const isWithin = async (ratio: number, tries: number) => {
      const least = await whole(tries);
      return least < harmlessMs || least < ratio * (await part(tries));
    };
    if (!(await isWithin(CLEAR_RATIO, FEW_TRIES)) && !(await isWithin(MAX_RATIO, MORE_TRIES))) return false;
  }
  return true;
}

/**
 * Asking the system for CPU time takes longer than most of what is measured here, so that is asked only where more time
 * than this has passed.
 */
async function isHarmless(work: Work, harmlessMs: number): Promise<boolean> {
  const begun = performance.now();
  await work();
  return performance.now() - begun < harmlessMs || (await cpuTimeOf(work)) < harmlessMs;
}
