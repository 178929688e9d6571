/** Leaves out of a failing plan what it fails without. */
import { INGREDIENTS, type PlanOptions, planOf } from "./plan.ts";
import { simulate } from "./simulate.ts";

/** The options under which the seed still breaks the invariant, with as few ingredients and clients as can be found. */
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

/** As arguments of `npm run simulate`. */
export function argumentsOf(seed: number, { storage, clients, only = [] }: PlanOptions): string {
  return `seed=${seed} storage=${storage} clients=${clients} only=${only.join(",")}`;
}
