/** Writers that change a document each, without a pause: a commit that was lost or applied twice would be a conflict. */
import { expect } from "vitest";
import type { Store } from "../../../src/ports/store.ts";

export interface Lanes {
  /** Number of acknowledged commits of each lane. */
  readonly sums: readonly number[];
  /** What commits were rejected with; each ends its lane. */
  readonly failures: readonly unknown[];
  /** Ends them, and compares what is stored with what was acknowledged. */
  check(): Promise<void>;
}

export function startLanes(store: Store, count: number): Lanes {
  const sums = Array.from({ length: count }, () => 0);
  const failures: unknown[] = [];
  let isOver = false;

  async function work(lane: number): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const rows = [{ list: `lane${lane}`, put: { id: `id${String(n).padStart(6, "0")}` } }];
      await store.commit([{ key: `thing:lane${lane}`, document: { n }, expected: n === 0 ? null : n, rows }]);
      sums[lane] = n + 1;
    }
  }
  const working = sums.map((_, lane) => work(lane).catch((error: unknown) => failures.push(error)));

  return {
    sums,
    failures,
    async check() {
      isOver = true;
      await Promise.all(working);
      expect(failures.map(String)).toEqual([]);
      for (const [lane, sum] of sums.entries()) {
        expect(await store.get(`thing:lane${lane}`)).toEqual({ version: sum, document: { n: sum - 1 } });
        expect((await store.list(`lane${lane}`, { limit: 0 })).total).toBe(sum);
      }
    },
  };
}
