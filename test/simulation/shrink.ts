/** Removes from a failing plan what is not needed for the failure. */
import { INGREDIENTS, type PlanOptions, planOf } from "./plan.ts";
import { simulate } from "./simulate.ts";

/** Returns options with few ingredients and clients under which the seed still breaks the invariant. */
export async function shrink(seed: number, options: PlanOptions, invariant: string): Promise<PlanOptions> {
  const fails = async (options: PlanOptions) =>
    (await simulate(planOf(seed, options))).violation?.invariant === invariant;
  const { ingredients, clients, storage } = planOf(seed, options);
  let smallest: PlanOptions = { storage, clients, only: [...ingredients] };
  for (const one of INGREDIENTS) {
    if (smallest.only?.includes(one) !== true) continue;
    const fewer = { ...smallest, only: smallest.only.filter((other) => other !== one) };
    if (await fails(fewer)) smallest = fewer;
  }
  for (let fewer = 1; fewer < clients; fewer++) {
    if (await fails({ ...smallest, clients: fewer })) return { ...smallest, clients: fewer };
  }
  return smallest;
}

/** The options as arguments of `npm run simulate`. */
export function argumentsOf(seed: number, { storage, clients, only = [] }: PlanOptions): string {
  return `seed=${seed} storage=${storage} clients=${clients} only=${only.join(",")}`;
}
