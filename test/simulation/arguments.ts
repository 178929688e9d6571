/** The command line of `npm run simulate`. */
import type { StorageKind } from "./disk.ts";
import { INGREDIENTS, type PlanOptions } from "./plan.ts";

export interface Arguments {
  /** The first seed to simulate; `count` seeds follow one another. */
  readonly first: number;
  readonly count: number;
  /** Whether every event is printed. */
  readonly isTraced: boolean;
  readonly plan: PlanOptions;
}

export const USAGE = `npm run simulate -- [SEEDS] [from=SEED]     a number of seeds (default 1,000)
npm run simulate -- seed=SEED               one seed, with a trace of all events

Options replace what a seed draws:
  only=PART,PART  without=PART,PART  storage=folder|server|plain  clients=N
  parts: ${INGREDIENTS.join(", ")}`;

const DEFAULT_COUNT = 1_000;
const STORAGE: readonly StorageKind[] = ["folder", "server", "plain"];

/** @throws RangeError for arguments that are not in {@link USAGE}. */
export function readArguments(given: readonly string[]): Arguments {
  const options = new Map<string, string>();
  for (const argument of given) {
    const [name = "", value] = argument.split("=", 2);
    if (value === undefined) options.set("count", name);
    else options.set(name, value);
  }
  const seed = number("seed", options);
  const count = number("count", options);
  const plan: PlanOptions = {
    storage: oneOf("storage", STORAGE, options)?.[0],
    only: oneOf("only", INGREDIENTS, options),
    without: oneOf("without", INGREDIENTS, options),
    clients: number("clients", options),
  };
  const first = seed ?? number("from", options) ?? 1;
  const [unknown] = [...options.keys()];
  if (unknown !== undefined) throw new RangeError(`There is no argument ${JSON.stringify(unknown)}.`);
  return { first, count: seed === undefined ? (count ?? DEFAULT_COUNT) : 1, isTraced: seed !== undefined, plan };
}

/** Removes and reads a numeric option. */
function number(name: string, options: Map<string, string>): number | undefined {
  const text = options.get(name);
  options.delete(name);
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw new RangeError(`${name}=${text} must be a whole number.`);
}

/** Removes and reads an option that lists known names. */
function oneOf<T extends string>(name: string, known: readonly T[], options: Map<string, string>): T[] | undefined {
  const text = options.get(name);
  options.delete(name);
  const names = text === "" ? [] : text?.split(",");
  return names?.map((given) => {
    const found = known.find((one) => one === given);
    if (found === undefined) throw new RangeError(`${name}=${given} must be one of ${known.join(", ")}.`);
    return found;
  });
}
