/** Runs on real processes and servers, while workers are killed and closed. `npm run cluster-matrix` does more of this. */
import { describe, expect, inject, it } from "vitest";
import { survive } from "../../faults/cluster/survive.ts";
import { sample } from "../../support/sample.ts";
import { uniquePrefix } from "../../support/storage/redis-stores.ts";

const STORES = ["redis", "postgres"] as const;

describe("a cluster of real processes", () => {
  it.each(sample(STORES, ["redis"]))("on %s ends all runs while workers are killed and closed", async (store) => {
    const prefix = uniquePrefix().replaceAll("-", "_");
    const trouble = {
      prefix,
      redis: inject("redis"),
      store: inject(store),
      workers: 2,
      runs: 60,
      losses: 2,
      followers: 10,
    };
    const { calls } = await survive({ ...trouble, how: ["kill", "close"] });
    expect(calls).toBeGreaterThanOrEqual(4 * 60);
  });
});
