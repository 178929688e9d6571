/** Writes to a folder as its owner: through its gate, or with a check afterwards that the gate still exists. */
import { rename, unlink } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import type { ItemWriter, WriteOptions } from "../../../src/ports/driver.ts";
import type { DriverOwner } from "../owned.ts";
import { type FsFiles, orNull } from "./files.ts";
import type { FsGate } from "./gate.ts";
import { pathOf } from "./path.ts";

const VERIFY_INTERVAL_MS = 1_000;
/** Maximum number of remembered items of this owner. */
const MAX_OWN_ITEMS = 10_000;

export function createFsOwner(parts: {
  base: string;
  gate: FsGate;
  files: FsFiles;
  openItem(key: string, from: "new" | "end" | number, verify: FsGate["verify"]): Promise<ItemWriter>;
}): DriverOwner {
  const { base, gate, files, openItem } = parts;
  /** Items that only this owner has opened. Forgetting a key costs one copy of the file. */
  const ownItems = new LRUCache<string, true>({ max: MAX_OWN_ITEMS });

  /** Runs an operation. If it fails because a new owner has removed the gate, rejects with `fenced`. */
  async function throughGate<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      await gate.verify();
      throw error;
    }
  }

  async function setItem(key: string, value: string | Uint8Array, { exclusive = false }: WriteOptions = {}) {
    const path = pathOf(base, key);
    if (!exclusive) return throughGate(() => files.replace(path, value, gate.newPath()));
    await throughGate(() => files.create(key, path, value));
    await gate.verify();
  }

  /** Continues in a copy, because an earlier owner may still append to the file. */
  async function copyToOwn(key: string): Promise<void> {
    const path = pathOf(base, key);
    const copy = gate.newPath();
    await files.copy(path, copy);
    await files.move(copy, path);
  }

  async function openOwn(key: string, from: "new" | "end" | number): Promise<ItemWriter> {
    if (typeof from === "number" && !ownItems.has(key)) await copyToOwn(key);
    const item = await openItem(key, from, gate.verify);
    ownItems.set(key, true);
    return item;
  }

  return {
    generation: gate.generation,
    verify: gate.verify,
    verifyIntervalMs: VERIFY_INTERVAL_MS,
    setItem,
    setItemRaw: setItem,

    async removeItem(key) {
      const removed = gate.newPath();
      if ((await orNull(rename(pathOf(base, key), removed).then(() => true))) === null) return gate.verify();
      await unlink(removed);
    },

    async openItem(key, from) {
      const item = await throughGate(() => openOwn(key, from));
      const { lend } = item;
      return {
        write(data) {
          const written = item.write(data);
          return written instanceof Promise ? throughGate(() => written).then(gate.verify) : gate.verify();
        },
        lend:
          lend &&
          (async (length, append) => {
            const answer = await throughGate(() => lend(length, append));
            await gate.verify();
            return answer;
          }),
        close: item.close,
      };
    },
  };
}
