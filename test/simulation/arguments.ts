/** What `npm run simulate` was asked for. */
import type { StorageKind } from "./disk.ts";
import { INGREDIENTS, type PlanOptions } from "./plan.ts";

export interface Arguments {
  /** The seeds to simulate: so many from the first on. */
  readonly first: number;
  readonly count: number;
  /** Whether everything that happens is printed. */
  readonly isTraced: boolean;
  readonly plan: PlanOptions;
}

export const USAGE = `npm run simulate -- [SEEDS] [from=SEED]     so many seeds, 1,000 unless said otherwise
npm run simulate -- seed=SEED               one of them, with everything that happens

Parts of what a seed draws can be given:
  only=PART,PART  without=PART,PART  storage=folder|server|plain  clients=N
  parts: ${INGREDIENTS.join(", ")}`;

const DEFAULT_COUNT = 1_000;
const STORAGE: readonly StorageKind[] = ["folder", "server", "plain"];

/** @throws RangeError for what is not in {@link USAGE}. */
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

/** Takes an option that is a number. */
function number(name: string, options: Map<string, string>): number | undefined {
  const text = options.get(name);
  options.delete(name);
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw new RangeError(`${name}=${text} must be a whole number.`);
}

/** Takes an option that names some of these. */
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
