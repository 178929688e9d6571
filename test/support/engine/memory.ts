/** A driver over a map in memory whose writes can be observed and delayed. */
import { setImmediate } from "node:timers/promises";
import type { Driver } from "../../../src/ports/driver.ts";
import { alreadyExists, type WriteOptions } from "../../../src/ports/driver.ts";

/** @param written Called after every write that took effect. */
export function memory(data: Map<string, string>, written: () => void = () => undefined) {
  let open: Promise<void> = Promise.resolve();
  let release: () => void = () => undefined;
  let waiting = 0;

  async function change(act: () => void): Promise<void> {
    waiting++;
    await open;
    waiting--;
    act();
    written();
  }

  const driver: Driver = {
    name: "watched-memory",
    hasItem: async (key) => data.has(key),
    getItem: async (key) => data.get(key) ?? null,
    setItem: (key, value, { exclusive = false }: WriteOptions = {}) =>
      change(() => {
        if (exclusive && data.has(key)) throw alreadyExists(key);
        data.set(key, value);
      }),
    removeItem: (key) => change(() => void data.delete(key)),
    getKeys: () => [],
  };
  return {
    driver,
    /** Delays all writes until `release`. */
    hold(): void {
      open = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
    /** Settles once a write waits. */
    async held(): Promise<void> {
      while (waiting === 0) await setImmediate();
    },
  };
}
