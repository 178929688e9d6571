/** Distinguishes work that is linear in its input from work that grows faster. */

/** CPU time that is harmless on any machine: work that takes less is not examined further. */
const HARMLESS_MS = 20;
/** Far apart, so that noise, caches and collections of garbage never decide: see {@link MAX_RATIO}. */
const STEP = 16;
/** The largest ratio for {@link STEP} times as much input: linear work takes 16 times as long, quadratic 256 times. */
const MAX_RATIO = 64;
const FEW_MEASUREMENTS = 2;
const MORE_MEASUREMENTS = 8;

type Work = () => unknown;

/** CPU time of this process in milliseconds, independent of other processes. */
async function cpuTimeOf(work: Work): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns the minimum of all measurements, after making some more. */
function leastCpuTimeOf(work: Work): (more: number) => Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  return async (more) => {
    for (let count = 0; count < more; count++) least = Math.min(least, await cpuTimeOf(work));
    return least;
  };
}

/**
 * Whether work is linear in its input. Compares minima, since a garbage collection or a compilation may fall into any
 * single measurement.
 *
 * @param size The size of the largest input. Begins with a small part of it, so that super-linear work is found before
 * it takes forever.
 * @param harmlessMs CPU time below which work counts as linear.
 */
export async function isLinear(size: number, workOn: (size: number) => Work, harmlessMs = HARMLESS_MS) {
  for (const tried of [size / STEP, size]) {
    const work = workOn(tried);
    if (await isHarmless(work, harmlessMs)) continue;
    const [whole, part] = [leastCpuTimeOf(work), leastCpuTimeOf(workOn(tried / STEP))];
    const isWithin = async (count: number) => {
      const least = await whole(count);
      return least < harmlessMs || least < MAX_RATIO * (await part(count));
    };
    if (!(await isWithin(FEW_MEASUREMENTS)) && !(await isWithin(MORE_MEASUREMENTS))) return false;
  }
  return true;
}

/**
 * Reading the CPU time takes longer than most work that is measured here, so it is read only if more time than this has
 * elapsed.
 */
async function isHarmless(work: Work, harmlessMs: number): Promise<boolean> {
  const begun = performance.now();
  await work();
  return performance.now() - begun < harmlessMs || (await cpuTimeOf(work)) < harmlessMs;
}
