/** The parameters of a simulation, drawn from its seed in advance, so that parts can be left out. */
import type { StorageKind } from "./disk.ts";
import { createRandom } from "./random.ts";

export const INGREDIENTS = [
  /** The process is killed and restarted. */
  "crashes",
  /** The process is closed and restarted, or the next one starts before this one has ended. */
  "restarts",
  /** The process is stopped, another one takes over, and the first one continues. */
  "takeovers",
  /** The process is stopped for a while without a takeover. */
  "pauses",
  /** Single storage calls fail, hang, or lose their response. */
  "faults",
  /** All storage calls fail for a while. */
  "outages",
  /** Some runs kill the process whenever they execute. */
  "poison",
  /** Many runs are created at once. */
  "bursts",
  "cancels",
  "retries",
  "schedules",
  /** Workflows have a concurrency limit, a debounce, a rate limit or priorities; runs begin at a later time. */
  "settings",
  /** Runs wait for events, and events start runs. */
  "events",
  /** All storage calls take long for a while, even longer than a closing process waits. */
  "slowness",
] as const;
export type Ingredient = (typeof INGREDIENTS)[number];

/** So many that no run waits for one. */
export const MANY_SLOTS = 1_000;

export interface Plan {
  readonly seed: number;
  readonly storage: StorageKind;
  readonly ingredients: ReadonlySet<Ingredient>;
  readonly clients: number;
  /** Milliseconds during which faults are injected. */
  readonly duration: number;
  /** The number of slots. */
  readonly runs: number;
  readonly queuedRuns: number;
  readonly checkpointRecords: number;
}

/** Values that replace what the seed draws. */
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
  const hasManySlots = random.chance(0.3);
  const ingredients = (options.only ?? drawn.ingredients).filter((one) => options.without?.includes(one) !== true);
  return {
    seed,
    ...drawn,
    runs: hasManySlots ? MANY_SLOTS : drawn.runs,
    storage: options.storage ?? drawn.storage,
    clients: options.clients ?? drawn.clients,
    ingredients: new Set(ingredients),
  };
}
