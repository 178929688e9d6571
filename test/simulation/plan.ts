/** What the simulation of a seed is made of, drawn before it begins, so that parts of it can be left out. */
import type { StorageKind } from "./disk.ts";
import { createRandom } from "./random.ts";

export const INGREDIENTS = [
  /** The process is killed and started again. */
  "crashes",
  /** The process is closed and started again, or the next one starts before this one has ended. */
  "restarts",
  /** The process is stopped, another takes over, and the first goes on. */
  "takeovers",
  /** The process is stopped for a while, and nobody takes over. */
  "pauses",
  /** Single calls of the storage fail, hang, or are answered wrongly. */
  "faults",
  /** All calls of the storage fail for a while. */
  "outages",
  /** Some runs kill the process whenever they are carried out. */
  "poison",
  /** Many runs are created at once. */
  "bursts",
  "cancels",
  "retries",
  "schedules",
] as const;
export type Ingredient = (typeof INGREDIENTS)[number];

export interface Plan {
  readonly seed: number;
  readonly storage: StorageKind;
  readonly ingredients: ReadonlySet<Ingredient>;
  readonly clients: number;
  /** Milliseconds during which things go wrong. */
  readonly duration: number;
  readonly runs: number;
  readonly queuedRuns: number;
  readonly checkpointRecords: number;
}

/** What is said instead of drawn. */
export interface PlanOptions {
  readonly storage?: StorageKind | undefined;
  /** Exactly these. */
  readonly only?: readonly Ingredient[] | undefined;
  readonly without?: readonly Ingredient[] | undefined;
  readonly clients?: number | undefined;
}

export function planOf(seed: number, options: PlanOptions = {}): Plan {
  const random = createRandom(seed);
  const drawn = {
    storage: random.pick<StorageKind>(["folder", "server", "server", "plain"]),
    ingredients: INGREDIENTS.filter(() => random.chance(0.6)),
    clients: random.whole(1, 4),
    duration: random.between(5_000, 60_000),
    runs: random.whole(1, 5),
    queuedRuns: random.whole(2, 12),
    checkpointRecords: random.pick([5, 20, 100, 1_000]),
  };
  const ingredients = (options.only ?? drawn.ingredients).filter((one) => options.without?.includes(one) !== true);
  return {
    seed,
    ...drawn,
    storage: options.storage ?? drawn.storage,
    clients: options.clients ?? drawn.clients,
    ingredients: new Set(ingredients),
  };
}
