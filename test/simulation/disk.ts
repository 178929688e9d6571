/** What all processes of a simulation share: the stored items, and the calls that are on their way to them. */
import type { Lane } from "./timeline.ts";

/**
 * - `folder`: as the fs driver. Items grow, are replaced whole, and one living process at a time has the lock.
 * - `server`: as Redis or S3. Creates exclusively; what was sent arrives even when its sender is gone.
 * - `plain`: as any unstorage driver. Writes in place, so that a crash tears what it cuts off.
 */
export type StorageKind = "folder" | "server" | "plain";

/** A call that has not reached the items yet. */
export interface InFlight {
  readonly sender: Lane;
  /** Takes effect now. */
  arrive(): void;
  /** Takes effect in part now; absent where all or nothing happens. */
  tear?(): void;
  /** Never takes effect. */
  drop(): void;
}

export interface Disk {
  readonly kind: StorageKind;
  readonly items: Map<string, string>;
  readonly inFlight: Set<InFlight>;
  /** The generation of the owner that took over last, 0 before the first; plain storage knows of none. */
  readonly generation: number;
  /** The generation that wrote each item. */
  readonly writers: Map<string, number>;
  /** A new owner takes over; gives its generation. */
  takeOver(): number;
  /** Takes the lock of a folder, or finds that a living process has it. */
  lock(process: Lane): boolean;
  unlock(process: Lane): void;
}

export function createDisk(kind: StorageKind): Disk {
  let owner: Lane | null = null;
  let generation = 0;
  return {
    kind,
    items: new Map(),
    writers: new Map(),
    get generation() {
      return generation;
    },
    takeOver: () => ++generation,
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
