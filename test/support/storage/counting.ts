/** A driver in memory whose items can be compared, and that counts what callers cause it to store. */
import type { ExtendedDriver } from "../../../src/ports/driver.ts";

export function countingDriver() {
  const data = new Map<string, string>();
  let writes = 0;
  /** A checkpoint, which may follow at any time, writes all other items: what the log has. */
  const isFirst = (key: string) => key.startsWith("log:") || key.startsWith("blob:");
  const driver: ExtendedDriver = {
    name: "counting",
    hasItem: (key) => data.has(key),
    getItem: (key) => data.get(key) ?? null,
    setItem(key, value) {
      if (isFirst(key)) writes++;
      data.set(key, value);
    },
    removeItem(key) {
      data.delete(key);
    },
    getKeys: () => [...data.keys()],
    takeOwnership: async (_, after = 0) => ({ generation: after + 1, verify: () => undefined }),
  };
  return {
    driver,
    /** Every item. */
    stored: () => new Map(data),
    /** Number of writes so far, without those of checkpoints. */
    writes: () => writes,
  };
}
