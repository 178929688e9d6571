/**
 * One worker at a time does what is needed once in a cluster: it delivers webhooks and app events, cleans up, builds indexes.
 * A document names it. When it is lost, the first one to notice takes its place. For a moment two may work, before the earlier
 * one notices: everything that the keeper does is stored with expected versions, or is delivered at least once anyway.
 */
import { isStepwellError } from "../errors.ts";
import type { Key, Store } from "../ports/store.ts";
import type { Membership } from "./membership.ts";

interface KeeperDocument {
  readonly worker: string;
}

export interface Keeper {
  /** Whether this process is the keeper, as of the last beat. */
  readonly isMine: boolean;
  /** Stops to be the keeper for now, because this process could not say that it lives. */
  pause(): void;
  /** Takes the place of a lost keeper. Returns whether this process has just become the keeper. */
  beat(): Promise<boolean>;
}

const KEEPER: Key = "cluster:keeper";

export function createKeeper(parts: { store: Store; membership: Membership }): Keeper {
  const { store, membership } = parts;
  let isMine = false;

  async function take(): Promise<boolean> {
    const found = await store.get<KeeperDocument>(KEEPER);
    if (found?.document.worker === membership.id) return true;
    if (found !== null && (await membership.isAlive(found.document.worker))) return false;
    const document: KeeperDocument = { worker: membership.id };
    try {
      await store.commit([{ key: KEEPER, document, expected: found?.version ?? null }]);
      return true;
    } catch (error) {
      if (isStepwellError(error, "conflict")) return false;
      throw error;
    }
  }

  return {
    get isMine() {
      return isMine;
    },
    pause() {
      isMine = false;
    },
    async beat() {
      const before = isMine;
      isMine = await take();
      return isMine && !before;
    },
  };
}
