/** A driver that keeps everything in memory. Supports appending, so that the log and uploads are written in pieces. */
import {
  alreadyExists,
  type ExtendedDriver,
  fenced,
  type ItemWriter,
  type WriteOptions,
} from "../../src/ports/driver.ts";
import { type DriverOwner, withOwners } from "./owned.ts";

/** An item consists of the pieces that were written to it, in order. */
type Piece = string | Uint8Array;

/**
 * The default storage of `createStepwell`. Disposing of it deletes all data.
 *
 * @example
 * ```ts
 * const stepwell = createStepwell({ storage: { entities: fs({ base: "./data" }), blobs: memory() } });
 * ```
 */
export default function memoryDriver(): ExtendedDriver {
  let items = new Map<string, Piece[]>();
  let generation = 0;
  let onReplaced: () => void = () => undefined;

  function create(key: string, pieces: Piece[], isNew: boolean): Piece[] {
    if (isNew && items.has(key)) throw alreadyExists(key);
    items.set(key, pieces);
    return pieces;
  }

  function existing(key: string): Piece[] {
    const pieces = items.get(key);
    if (pieces === undefined) throw new Error(`There is no item "${key}".`);
    return pieces;
  }

  const keysIn = (base: string) => [...items.keys()].filter((key) => key.startsWith(base));

  /** Cuts an item to its first bytes, to continue writing after them. */
  function cut(key: string, size: number): Piece[] {
    const bytes = bytesOf(existing(key));
    if (bytes.length < size) throw new Error(`The item "${key}" has ${bytes.length} bytes, not ${size}.`);
    return create(key, [bytes.slice(0, size)], false);
  }

  async function openItem(key: string, from: "new" | "end" | number): Promise<ItemWriter> {
    if (from === "new") return writerOf(create(key, [], true));
    return writerOf(from === "end" ? existing(key) : cut(key, from));
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
          write(piece) {
            verify();
            return item.write(piece);
          },
          close: item.close,
        };
      },
    };
  }

  const driver: ExtendedDriver = {
    name: "memory",
    copiesBytes: true,

    hasItem: (key) => items.has(key),
    getItem: (key) => textOf(items.get(key)),
    getItemRaw: (key) => ownBytesOf(items.get(key)),
    async getItemRange(key, start, end) {
      const pieces = items.get(key);
      return pieces === undefined ? null : rangeOf(pieces, start, end);
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

function writerOf(pieces: Piece[]): ItemWriter {
  return {
    write(piece) {
      pieces.push(typeof piece === "string" ? piece : piece.slice());
    },
    close: () => undefined,
  };
}

function textOf(pieces: readonly Piece[] | undefined): string | null {
  if (pieces === undefined) return null;
  if (pieces.every((piece) => typeof piece === "string")) return pieces.join("");
  return new TextDecoder().decode(bytesOf(pieces));
}

/** Returns bytes that nothing else refers to. */
function ownBytesOf(pieces: readonly Piece[] | undefined): Uint8Array | null {
  return pieces === undefined ? null : bytesOf(pieces).slice();
}

function bytesOf(pieces: readonly Piece[]): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only instanceof Uint8Array) return only;
  return rangeOf(pieces, 0, Number.POSITIVE_INFINITY);
}

/** Copies only the requested range. */
function rangeOf(pieces: readonly Piece[], start: number, end: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const piece of pieces) {
    if (at >= end) break;
    const bytes = typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
    if (at + bytes.length > start) parts.push(bytes.subarray(Math.max(0, start - at), end - at));
    at += bytes.length;
  }
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
