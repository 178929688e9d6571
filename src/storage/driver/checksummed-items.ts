/**
 * Items with checksums on a driver. Calls have a timeout, and a write is never overtaken by an earlier one of the same
 * key.
 */
import { PART_BYTES } from "../../encoding/long-text.ts";
import { StepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ExtendedDriver, WriteOptions } from "../../ports/driver.ts";
import { createPause } from "../../time/pause.ts";
import type { ChecksumCodec } from "./checksum.ts";
import { createCallDriver } from "./driver-timeout.ts";
import { createSegmentItems, type SegmentItems } from "./segment-items.ts";

/** The result of reading an item. */
export type StoredItem = { readonly value: unknown; readonly size: number } | "missing" | "damaged";

/** Appends JSON to an item. */
export interface ItemAppender {
  /** A failed append may leave a torn line at the end of the item, and must be the last call. */
  append(json: string): Promise<void>;
  close(): Promise<void>;
}

export interface ChecksummedItems {
  /** Formats and checks the lines of segments. */
  readonly codec: ChecksumCodec;
  readonly segments: SegmentItems;
  find(key: string): Promise<StoredItem>;
  /** Like `find`, with a single call if the driver supports it. */
  findMany(keys: readonly string[]): Promise<readonly StoredItem[]>;
  /** Returns all values that were written and appended to each key, in order. Empty if the item is missing. */
  findLines(keys: readonly string[]): Promise<readonly (readonly StoredItem[])[]>;
  write(key: string, json: string, options?: WriteOptions): Promise<void>;
  /** Opens an item to append to it. Null if the driver doesn't support appending. */
  readonly openAppender: ((key: string) => Promise<ItemAppender>) | null;
  remove(key: string): Promise<void>;
}

/** Separates appended values. `JSON.stringify` without indentation never outputs it. */
const SEPARATOR = "\n";

export function createChecksummedItems(parts: {
  driver: ExtendedDriver;
  clock: Clock;
  codec: ChecksumCodec;
  timeoutMs: number;
}): ChecksummedItems {
  const { driver, codec } = parts;
  const callDriver = createCallDriver(driver, parts.clock, parts.timeoutMs);
  const pause = createPause(parts.clock);
  /** Writes that the driver has not settled. Includes writes that timed out, which may still take effect. */
  const unsettled = new Map<string, Promise<void>>();
  /** Keys of writes that timed out: what comes after them would wait as long again, one after the other. */
  const late = new Set<string>();
  const { setItem, openItem, removeItem } = driver;
  if (setItem === undefined || removeItem === undefined) {
    throw new TypeError(`The storage driver "${driver.name ?? "unnamed"}" cannot write: it is read-only.`);
  }

  function textOf(key: string, answer: unknown): string | null {
    if (answer === null || answer === undefined) return null;
    if (typeof answer === "string") return answer;
    const type = Array.isArray(answer) ? "array" : typeof answer;
    throw new StepwellError(
      "unavailable",
      `The storage driver "${driver.name ?? "unnamed"}" returned an ${type} for "${key}" instead of the stored text.`,
    );
  }

  function decodeItem(text: string | null): StoredItem {
    if (text === null) return "missing";
    const value = codec.decode(text);
    return value === undefined ? "damaged" : { value, size: text.length };
  }

  async function change(action: string, key: string, call: () => void | Promise<void>): Promise<void> {
    for (let earlier = unsettled.get(key); earlier !== undefined; earlier = unsettled.get(key)) {
      const wait = earlier;
      if (late.has(key)) throw lateError(key);
      await callDriver(`waiting for an earlier write of`, key, () => wait);
    }
    const done = callDriver(action, key, () => {
      const answer = call();
      if (!(answer instanceof Promise)) return;
      const settled = answer
        .then(
          () => undefined,
          () => undefined,
        )
        .then(() => {
          unsettled.delete(key);
          late.delete(key);
        });
      unsettled.set(key, settled);
      return answer;
    });
    await done.catch((error: unknown) => {
      if (unsettled.has(key)) late.add(key);
      throw error;
    });
  }

  function lateError(key: string): StepwellError {
    const name = driver.name ?? "unnamed";
    const message = `The storage driver "${name}" has not responded to an earlier write of "${key}", which may still take effect.`;
    return new StepwellError("unavailable", message);
  }

  const read = async (key: string) => textOf(key, await callDriver("reading", key, () => driver.getItem(key)));

  /** Uses a single call if the driver supports it. */
  async function readMany(keys: readonly string[]): Promise<readonly (string | null)[]> {
    if (driver.getItems === undefined || keys.length < 2) return Promise.all(keys.map(read));
    const many = driver.getItems;
    const items = await callDriver("reading", keys.join(", "), () =>
      many.call(
        driver,
        keys.map((key) => ({ key })),
      ),
    );
    return keys.map((key, index) => textOf(key, items[index]?.value));
  }

  async function extend(key: string, openItem: NonNullable<ExtendedDriver["openItem"]>): Promise<ItemAppender> {
    const item = await callDriver("opening", key, () => openItem.call(driver, key, "end"));
    const write = (data: string | Uint8Array) => callDriver("appending to", key, () => item.write(data));
    return {
      async append(json) {
        const isLong = json.length > PART_BYTES;
        await write(isLong ? await codec.encodeLong(json, SEPARATOR, pause) : SEPARATOR + codec.encode(json));
      },
      close: () => callDriver("closing", key, () => item.close()),
    };
  }

  return {
    codec,
    segments: createSegmentItems(driver, callDriver, read, (key, write) => change("writing", key, write)),
    find: async (key) => decodeItem(await read(key)),
    findMany: async (keys) => (await readMany(keys)).map(decodeItem),
    findLines: async (keys) => (await readMany(keys)).map((text) => text?.split(SEPARATOR).map(decodeItem) ?? []),

    write: (key, json, options = {}) =>
      change("writing", key, () => setItem.call(driver, key, codec.encode(json), { ...options })),

    openAppender: openItem === undefined ? null : (key) => extend(key, openItem),

    remove: (key) => change("removing", key, () => removeItem.call(driver, key, {})),
  };
}
