/** Wraps any driver so that one call fails, chosen by its number among the calls of all drivers that share a count. */
import type { ExtendedDriver } from "../../../src/ports/driver.ts";

export const FAULTS = [
  "rejects",
  "writes half and rejects",
  "loses the response",
  "hangs",
  "takes effect after its timeout",
] as const;
export type Fault = (typeof FAULTS)[number];

export interface Failure {
  readonly fault: Fault;
  /** Number of the call that goes wrong, from 1. */
  at: number;
  /** Calls so far. */
  calls: number;
  /** Lets a call with the fault "takes effect after its timeout" take effect; otherwise does nothing. */
  release(): void;
}

export function failure(fault: Fault): Failure {
  return { fault, at: Number.POSITIVE_INFINITY, calls: 0, release: () => undefined };
}

export function failing(driver: ExtendedDriver, plan: Failure): ExtendedDriver {
  async function call<Result>(
    act: () => Result | Promise<Result>,
    half: () => unknown = () => undefined,
  ): Promise<Result> {
    if (++plan.calls !== plan.at) return await act();
    switch (plan.fault) {
      case "rejects":
        throw new Error("the disk is broken");
      case "writes half and rejects":
        await half();
        throw new Error("the disk is broken");
      case "loses the response":
        await act();
        throw new Error("the connection was lost");
      case "hangs":
        return new Promise(() => undefined);
      case "takes effect after its timeout":
        await new Promise<void>((resolve) => {
          plan.release = resolve;
        });
        return await act();
    }
  }

  const firstHalf = <Data extends string | Uint8Array>(data: Data) => data.slice(0, data.length >> 1) as Data; // same type
  const { setItem, setItemRaw, getItemRaw, getItemRange, getItems, removeItem, openItem } = driver;
  return {
    ...driver,
    hasItem: (key, options) => call(() => driver.hasItem(key, options)),
    getItem: (key, options) => call(() => driver.getItem(key, options)),
    ...(getItems && { getItems: (items, options) => call(() => getItems(items, options)) }),
    ...(getItemRaw && { getItemRaw: (key, options) => call(() => getItemRaw(key, options)) }),
    ...(getItemRange && { getItemRange: (key, start, end) => call(() => getItemRange(key, start, end)) }),
    // As in Stepwell's fs driver: the replaced item stays until the new one is complete.
    ...(setItem && { setItem: (key, text, options) => call(() => setItem(key, text, options)) }),
    ...(setItemRaw && {
      setItemRaw: (key, bytes: Uint8Array, options) =>
        call(
          () => setItemRaw(key, bytes, options),
          () => setItemRaw(key, firstHalf(bytes), options),
        ),
    }),
    ...(removeItem && { removeItem: (key, options) => call(() => removeItem(key, options)) }),
    ...(openItem && {
      async openItem(key, from, options) {
        const item = await call(() => openItem(key, from, options));
        return {
          write: (data) =>
            call(
              () => item.write(data),
              () => item.write(firstHalf<string | Uint8Array>(data)),
            ),
          close: () => call(() => item.close()),
        };
      },
    }),
  };
}
