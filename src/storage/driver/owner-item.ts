/**
 * Ownership for drivers without support for it. An item names the owner and is read around each write. The driver
 * cannot refuse a write that is in flight during a takeover, which may replace data of the new owner.
 */
import { type DriverOwnership, type ExtendedDriver, fenced, type WriteOptions } from "../../ports/driver.ts";
import type { Ids } from "../../ports/ids.ts";

const OWNER_KEY = "owner:current";
const VERIFY_INTERVAL_MS = 10_000;

/** The write operations of such a driver for one owner. */
export interface ItemOwner
  extends DriverOwnership,
    Pick<ExtendedDriver, "setItem" | "setItemRaw" | "removeItem" | "openItem"> {}

/** @param after The new generation exceeds this number too: the item may be lost, torn or restored. */
export async function takeOwnershipByItem(driver: ExtendedDriver, ids: Ids, after: number): Promise<ItemOwner> {
  const { setItem, setItemRaw, removeItem, openItem } = driver;
  if (setItem === undefined || removeItem === undefined) {
    throw new TypeError(`The storage driver "${driver.name ?? "unnamed"}" cannot write: it is read-only.`);
  }
  const before = Number.parseInt(String(await driver.getItem(OWNER_KEY)), 10);
  const generation = Math.max(Number.isSafeInteger(before) ? before : 0, after) + 1;
  // The random part distinguishes processes that take over simultaneously and choose the same generation.
  const owner = `${generation} ${ids.next("owner")}`;
  await setItem.call(driver, OWNER_KEY, owner, {});

  async function verify(): Promise<void> {
    if ((await driver.getItem(OWNER_KEY)) !== owner) throw fenced();
  }

  /** A new item counts only if this owner had not been replaced by then. A replacement must not begin after that. */
  async function writeAsOwner(isNew: boolean, write: () => void | Promise<void>): Promise<void> {
    if (!isNew) await verify();
    await write();
    if (isNew) await verify();
  }

  await verify();
  return {
    generation,
    verify,
    verifyIntervalMs: VERIFY_INTERVAL_MS,
    setItem: (key, value, options) =>
      writeAsOwner(options.exclusive === true, () => setItem.call(driver, key, value, { ...options })),
    ...(setItemRaw !== undefined && {
      setItemRaw: (key: string, value: Uint8Array, options: WriteOptions) =>
        writeAsOwner(options.exclusive === true, () => setItemRaw.call(driver, key, value, { ...options })),
    }),
    removeItem: (key) => writeAsOwner(false, () => removeItem.call(driver, key, {})),
    ...(openItem !== undefined && {
      async openItem(key: string, from: "new" | "end" | number) {
        const item = await openItem.call(driver, key, from);
        return { write: (data) => writeAsOwner(true, () => item.write(data)), close: () => item.close() };
      },
    }),
  };
}
