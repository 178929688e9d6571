/** What all processes of a simulation share: the stored items and the calls in flight. */
import type { Lane } from "./timeline.ts";

/**
 * - `folder`: like the fs driver. Items grow, replacing one is atomic, and one living process at a time has the lock.
 * - `server`: like Redis or S3. Creates exclusively; a request takes effect even if its sender has died.
 * - `plain`: like any unstorage driver. Writes in place, so that a crash tears items.
 */
export type StorageKind = "folder" | "server" | "plain";

/** A call that has not taken effect yet. */
export interface InFlight {
  readonly sender: Lane;
  /** Takes effect now. */
  arrive(): void;
  /** Takes effect in part now; missing for atomic calls. */
  applyPartially?(): void;
  /** Never takes effect. */
  drop(): void;
}

export interface Disk {
  readonly kind: StorageKind;
  readonly items: Map<string, string>;
  readonly inFlight: Set<InFlight>;
  /** The generation of the current owner, 0 before the first; `plain` storage has no owners. */
  readonly generation: number;
  /** The generation that wrote each item. */
  readonly writers: Map<string, number>;
  /** Registers a new owner and returns its generation, which exceeds `after`. */
  takeOver(after: number): number;
  /** Loses the count of owners, as a copy without hidden files does. */
  forgetOwners(): void;
  /** Locks a folder; false if another living process has the lock. */
  lock(process: Lane): boolean;
  unlock(process: Lane): void;
}

export function createDisk(kind: StorageKind): Disk {
  let owner: Lane | null = null;
  let generation = 0;
  const items = new Map<string, string>();
  return {
    kind,
    items,
    writers: new Map(),
    get generation() {
      return generation;
    },
    takeOver(after) {
      generation = Math.max(generation, after) + 1;
      return generation;
    },
    forgetOwners() {
      generation = 0;
      items.delete("owner:current");
    },
    inFlight: new Set(),
    lock(process) {
      if (kind !== "folder" || owner === process) return true;
      if (owner !== null && owner.state !== "dead") return false;
      owner = process;
      return true;
    },
    unlock(process) {
      if (owner === process) owner = null;
    },
  };
}
