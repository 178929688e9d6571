/** A driver in memory that stops responding on request. */
import type { Driver } from "../../../src/ports/driver.ts";

export function hangingStorage(data = new Map<string, string>()) {
  let isHanging = false;
  let isDisposed = false;
  let calls = 0;
  let lateCalls = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });

  async function call<T>(act: () => T): Promise<T> {
    calls++;
    if (isDisposed) lateCalls++;
    if (isHanging) await released;
    return act();
  }

  const driver: Driver = {
    name: "hanging",
    hasItem: (key) => call(() => data.has(key)),
    getItem: (key) => call(() => data.get(key) ?? null),
    setItem: (key, value) => call(() => void data.set(key, value)),
    removeItem: (key) => call(() => void data.delete(key)),
    getKeys: () => call(() => [...data.keys()]),
    dispose() {
      isDisposed = true;
    },
  };
  return {
    driver,
    /** From now on, no call is answered until `release`. */
    hang(): void {
      isHanging = true;
    },
    /** Answers all calls. */
    release(): void {
      isHanging = false;
      release();
    },
    /** Calls so far. */
    calls: () => calls,
    isDisposed: () => isDisposed,
    /** Calls after the driver was disposed of. */
    lateCalls: () => lateCalls,
  };
}
