/** Routes writes with an owner's generation to that owner, and all other calls to the driver. */
import type { DriverOwnership, ExtendedDriver, WriteOptions } from "../../src/ports/driver.ts";

/** The write operations of a driver for one owner. */
export interface DriverOwner
  extends DriverOwnership,
    Required<Pick<ExtendedDriver, "setItem" | "removeItem">>,
    Pick<ExtendedDriver, "setItemRaw" | "openItem"> {}

export function withOwners(
  driver: ExtendedDriver,
  takeOwnership: (onReplaced: () => void, after: number) => Promise<DriverOwner | null>,
): ExtendedDriver {
  const owners = new Map<number, DriverOwner>();
  const { setItem, setItemRaw, removeItem, openItem } = driver;
  const writer = ({ generation }: WriteOptions = {}) =>
    generation === undefined ? driver : (owners.get(generation) ?? driver);

  return {
    ...driver,
    ...(setItem !== undefined && {
      setItem: (key, value, options) => writer(options).setItem?.(key, value, options),
    }),
    ...(setItemRaw !== undefined && {
      setItemRaw: (key, value, options) => writer(options).setItemRaw?.(key, value, options),
    }),
    ...(removeItem !== undefined && {
      removeItem: (key, options) => writer(options).removeItem?.(key, options),
    }),
    ...(openItem !== undefined && {
      openItem: (key, from, options) => (writer(options).openItem ?? openItem)(key, from),
    }),
    async takeOwnership(onReplaced, after = 0) {
      const owner = await takeOwnership(onReplaced, after);
      if (owner !== null) owners.set(owner.generation, owner);
      return owner;
    },
  };
}
