/** A driver that keeps everything in memory. Supports appending, so that the log and blobs are growing items. */
import {
  alreadyExists,
  type ExtendedDriver,
  fenced,
  type ItemWriter,
  type WriteOptions,
} from "../../src/ports/driver.ts";
import { type DriverOwner, withOwners } from "./owned.ts";

/** One write to an item. An item consists of its writes, in order. */
type Write = string | Uint8Array;

/**
 * The default storage of `createStepwell`. Disposing of it deletes all data.
 *
 * @example
 * ```ts
 * const stepwell = createStepwell({ storage: { entities: fsDriver({ base: ".stepwell" }), blobs: memoryDriver() } });
 * ```
 */
export default function memoryDriver(): ExtendedDriver {
  let items = new Map<string, Write[]>();
  let generation = 0;
  let onReplaced: () => void = () => undefined;

  function create(key: string, writes: Write[], isNew: boolean): Write[] {
    if (isNew && items.has(key)) throw alreadyExists(key);
    items.set(key, writes);
    return writes;
  }

  function requireItem(key: string): Write[] {
    const writes = items.get(key);
    if (writes === undefined) throw new Error(`There is no item "${key}".`);
    return writes;
  }

  const keysIn = (base: string) => [...items.keys()].filter((key) => key.startsWith(base));

  /** Cuts an item to its first bytes, to continue writing after them. */
  function cut(key: string, size: number): Write[] {
    const bytes = bytesOf(requireItem(key));
    if (bytes.length < size) throw new Error(`The item "${key}" has ${bytes.length} bytes, not ${size}.`);
    return create(key, [bytes.slice(0, size)], false);
  }

  async function openItem(key: string, from: "new" | "end" | number): Promise<ItemWriter> {
    if (from === "new") return writerOf(create(key, [], true));
    return writerOf(from === "end" ? requireItem(key) : cut(key, from));
  }

  const setItem = (key: string, value: string, { exclusive = false }: WriteOptions = {}) =>
    void create(key, [value], exclusive);
  const setItemRaw = (key: string, value: Uint8Array, { exclusive = false }: WriteOptions = {}) =>
    void create(key, [value.slice()], exclusive);
  const removeItem = (key: string) => void items.delete(key);

  function ownerOf(own: number): DriverOwner {
    function verify(): void {
      if (own !== generation) throw fenced();
    }
    return {
      generation: own,
      verify,
      setItem(...args) {
        verify();
        setItem(...args);
      },
      setItemRaw(key, value, options) {
        verify();
        setItemRaw(key, value, options);
      },
      removeItem(key) {
        verify();
        removeItem(key);
      },
      async openItem(key, from) {
        verify();
        const item = await openItem(key, from);
        return {
          write(data) {
            verify();
            return item.write(data);
          },
          close: item.close,
        };
      },
    };
  }

  const driver: ExtendedDriver = {
    name: "memory",
    canBeShared: false,
    copiesBytes: true,

    hasItem: (key) => items.has(key),
    getItem: (key) => textOf(items.get(key)),
    getItemRaw: (key) => ownBytesOf(items.get(key)),
    async getItemRange(key, start, end) {
      const writes = items.get(key);
      return writes === undefined ? null : rangeOf(writes, start, end);
    },
    setItem,
    setItemRaw,
    removeItem,
    getKeys: (base) => keysIn(base),
    clear(base) {
      for (const key of keysIn(base)) items.delete(key);
    },
    openItem,

    dispose() {
      items = new Map();
    },
  };

  return withOwners(driver, async (listener, after) => {
    generation = Math.max(generation, after) + 1;
    onReplaced();
    onReplaced = listener;
    return ownerOf(generation);
  });
}

function writerOf(writes: Write[]): ItemWriter {
  return {
    write(data) {
      writes.push(typeof data === "string" ? data : data.slice());
    },
    close: () => undefined,
  };
}

function textOf(writes: readonly Write[] | undefined): string | null {
  if (writes === undefined) return null;
  if (writes.every((data) => typeof data === "string")) return writes.join("");
  return new TextDecoder().decode(bytesOf(writes));
}

/** Returns bytes that nothing else refers to. */
function ownBytesOf(writes: readonly Write[] | undefined): Uint8Array | null {
  return writes === undefined ? null : bytesOf(writes).slice();
}

function bytesOf(writes: readonly Write[]): Uint8Array {
  const [only] = writes;
  if (writes.length === 1 && only instanceof Uint8Array) return only;
  return rangeOf(writes, 0, Number.POSITIVE_INFINITY);
}

/** Copies only the requested range. */
function rangeOf(writes: readonly Write[], start: number, end: number): Uint8Array {
  const found: Uint8Array[] = [];
  let at = 0;
  for (const data of writes) {
    if (at >= end) break;
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    if (at + bytes.length > start) found.push(bytes.subarray(Math.max(0, start - at), end - at));
    at += bytes.length;
  }
  const whole = new Uint8Array(found.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const bytes of found) {
    whole.set(bytes, offset);
    offset += bytes.length;
  }
  return whole;
}
