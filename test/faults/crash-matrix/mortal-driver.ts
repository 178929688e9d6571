/** A driver that kills its process at a write, chosen by its number. */
import type { ExtendedDriver, ItemWriter, WriteOptions } from "../../../src/ports/driver.ts";

/** The number of a write, from 1. With `during`, its file may be missing or incomplete. */
export interface WriteDeath {
  readonly write: number;
  readonly when: "after" | "during";
}

export function mortalDriver(driver: ExtendedDriver, death: WriteDeath | null) {
  let writes = 0;
  const die = () => process.kill(process.pid, "SIGKILL");

  async function change(act: () => unknown): Promise<void> {
    const isLast = ++writes === death?.write;
    const done = act();
    if (isLast && death?.when === "during") setImmediate(die);
    await done;
    if (isLast) die();
  }

  /** Each append to an open item counts as a write. */
  async function openItem(key: string, from: "new" | "end" | number, options?: WriteOptions): Promise<ItemWriter> {
    if (driver.openItem === undefined) throw new Error("the driver has no openItem");
    const item = await driver.openItem(key, from, options);
    return { write: (data) => change(() => item.write(data)), close: () => item.close() };
  }

  const mortal: ExtendedDriver = {
    ...driver,
    openItem,
    setItem: (key, value, options) => change(() => driver.setItem?.(key, value, options)),
    setItemRaw: (key, value, options) => change(() => driver.setItemRaw?.(key, value, options)),
    removeItem: (key, options) => change(() => driver.removeItem?.(key, options)),
  };
  return { driver: mortal, writes: () => writes };
}
