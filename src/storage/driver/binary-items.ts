/** Binary items on a driver: stored as bytes if the driver supports them, otherwise as base64. */
import { fromBase64, toBase64 } from "../../encoding/base64.ts";
import { StepwellError } from "../../errors.ts";
import type { ExtendedDriver, ItemWriter, WriteOptions } from "../../ports/driver.ts";
import type { CallDriver } from "./driver-timeout.ts";

export interface BinaryItems {
  /** Whether a buffer passed to `write` can be reused once it has settled. */
  readonly copiesBytes: boolean;
  /**
   * Writes an item. A new item may be torn by a crash: nothing refers to it before the write is complete. Stepwell's
   * own drivers replace existing items atomically.
   */
  write(key: string, bytes: Uint8Array, options?: { readonly mayExist: boolean }): Promise<void>;
  /** Whether the driver supports appending, so that {@link open} works. */
  readonly canGrow: boolean;
  /** Opens an item to append to it. */
  open(key: string, from: "new" | number): Promise<ItemWriter>;
  /** Returns the first bytes of an item, or null if it is shorter. */
  readStart(key: string, length: number): Promise<Uint8Array | null>;
  /** Returns the bytes from `start` up to `end` of an item of `size` bytes, or null if it doesn't exist. */
  read(
    key: string,
    range: { readonly start: number; readonly end: number; readonly size: number },
  ): Promise<Uint8Array | null>;
  has(key: string): Promise<boolean>;
  remove(key: string): Promise<void>;
}

export function createBinaryItems(driver: ExtendedDriver, callDriver: CallDriver): BinaryItems {
  const { removeItem } = driver;
  const name = driver.name ?? "unnamed";
  if (removeItem === undefined) throw new TypeError(`The storage driver "${name}" cannot write: it is read-only.`);
  const { write, read } = codecOf(driver, name);
  const copiesBytes = driver.copiesBytes === true;
  const { getItemRange, openItem } = driver;

  return {
    copiesBytes,
    write: (key, bytes, { mayExist } = { mayExist: false }) =>
      callDriver("writing", key, () => write(key, bytes, mayExist ? REPLACED_ITEM : NEW_ITEM)),

    canGrow: openItem !== undefined && getItemRange !== undefined,

    async open(key, from) {
      if (openItem === undefined)
        throw new TypeError(`The storage driver "${name}" does not support appending to items.`);
      const item = await callDriver("opening", key, () => openItem.call(driver, key, from));
      const { lend } = item;
      return {
        write: (data) => callDriver("writing", key, () => item.write(data)),
        lend: lend && ((length, append) => callDriver("writing", key, () => lend(length, append))),
        close: () => callDriver("closing", key, () => item.close()),
      };
    },

    async readStart(key, length) {
      const whole = await callDriver("reading", key, () => read(key));
      return whole === null || whole.length < length ? null : whole.subarray(0, length);
    },

    async read(key, { start, end, size }) {
      if (getItemRange !== undefined) {
        return callDriver("reading", key, () => getItemRange.call(driver, key, start, end));
      }
      const whole = await callDriver("reading", key, () => read(key));
      if (whole === null || (whole.length === end && start === 0)) return whole;
      // The caller detects an item that is too short. One that is too long isn't what was stored either.
      return whole.length === size ? whole.subarray(start, end) : whole.subarray(0, 0);
    },

    has: async (key) => callDriver("looking for", key, () => driver.hasItem(key, {})),
    remove: (key) => callDriver("removing", key, () => removeItem.call(driver, key, {})),
  };
}

/** Lets a driver that replaces files atomically skip the temporary file. */
const NEW_ITEM: WriteOptions = { exclusive: true };
const REPLACED_ITEM: WriteOptions = {};

interface Codec {
  write(key: string, bytes: Uint8Array, options: WriteOptions): void | Promise<void>;
  read(key: string): Promise<Uint8Array | null>;
}

function codecOf(driver: ExtendedDriver, name: string): Codec {
  const { setItemRaw, getItemRaw, setItem } = driver;
  const copy = driver.copiesBytes === true ? (bytes: Uint8Array) => bytes : (bytes: Uint8Array) => bytes.slice();
  if (setItemRaw !== undefined && getItemRaw !== undefined) {
    return {
      write: (key, bytes, options) => setItemRaw.call(driver, key, copy(bytes), options),
      async read(key) {
        const answer = await getItemRaw.call(driver, key, {});
        const bytes = await bytesOf(answer, key, name);
        return bytes === null ? null : copy(bytes);
      },
    };
  }
  if (setItem === undefined) throw new TypeError(`The storage driver "${name}" cannot write: it is read-only.`);
  return {
    write: (key, bytes, options) => setItem.call(driver, key, toBase64(bytes), options),
    async read(key) {
      const text = await driver.getItem(key);
      if (text === null || text === undefined) return null;
      if (typeof text !== "string") throw notBytes(text, key, name);
      return fromBase64(text);
    },
  };
}

/** Converts the types that drivers return for bytes. Rejects others, which would come back changed. */
async function bytesOf(answer: unknown, key: string, name: string): Promise<Uint8Array | null> {
  if (answer === null || answer === undefined) return null;
  if (answer instanceof Uint8Array) return answer;
  if (answer instanceof ArrayBuffer) return new Uint8Array(answer);
  if (ArrayBuffer.isView(answer)) return new Uint8Array(answer.buffer, answer.byteOffset, answer.byteLength);
  if (answer instanceof Blob) return new Uint8Array(await answer.arrayBuffer());
  throw notBytes(answer, key, name);
}

function notBytes(answer: unknown, key: string, name: string): StepwellError {
  return new StepwellError(
    "unavailable",
    `The storage driver "${name}" returned a ${typeof answer} for "${key}" instead of the stored bytes.`,
  );
}
