/** Items of ASCII text that are written once and read in parts. */
import type { ExtendedDriver } from "../../ports/driver.ts";
import type { CallDriver } from "./driver-timeout.ts";

export interface SegmentItems {
  /** Whether `read` reads only the part. Otherwise it reads the whole item. */
  readonly readsParts: boolean;
  /** Creates an item, which a crash may leave incomplete. */
  create(key: string, text: string): Promise<void>;
  has(key: string): Promise<boolean>;
  /** Returns the whole item, or null if it doesn't exist. */
  readAll(key: string): Promise<string | null>;
  /** Returns the characters from `start` up to `end`: fewer if the item is shorter. Null if it doesn't exist. */
  read(key: string, start: number, end: number): Promise<string | null>;
  /** Like `read`. Null if the driver returns texts. */
  readonly readBytes: ((key: string, start: number, end: number) => Promise<Uint8Array | null>) | null;
}

/** @param writeText Creates a text item. */
export function createSegmentItems(
  driver: ExtendedDriver,
  callDriver: CallDriver,
  readText: (key: string) => Promise<string | null>,
  writeText: (key: string, write: () => void | Promise<void>) => Promise<void>,
): SegmentItems {
  const { getItemRange, setItemRaw, setItem } = driver;
  const options = { exclusive: true };
  const has = async (key: string) => callDriver("looking for", key, () => driver.hasItem(key, {}));
  const decoder = new TextDecoder();
  if (getItemRange === undefined || setItemRaw === undefined) {
    return {
      readsParts: false,
      has,
      create: (key, text) => writeText(key, () => setItem?.call(driver, key, text, { ...options })),
      readAll: readText,
      read: async (key, start, end) => (await readText(key))?.slice(start, end) ?? null,
      readBytes: null,
    };
  }
  const readBytes = (key: string, start: number, end: number) =>
    callDriver("reading", key, () => getItemRange.call(driver, key, start, end));
  return {
    readsParts: true,
    has,
    create(key, text) {
      const bytes = new TextEncoder().encode(text);
      return writeText(key, () => setItemRaw.call(driver, key, bytes, { ...options }));
    },
    readAll: readText,
    async read(key, start, end) {
      const bytes = await readBytes(key, start, end);
      return bytes === null ? null : decoder.decode(bytes);
    },
    readBytes,
  };
}
