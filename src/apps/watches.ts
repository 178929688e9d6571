/** Notifies long responses when their app is deleted or their key ends. */
import type { Document, Key, Store } from "../ports/store.ts";

export interface Watches {
  /**
   * Aborts the controller when the document of an app or a key is deleted, or does not exist. Stops watching when the controller
   * is aborted.
   * @returns The document, read after the watch began, so that no end is missed.
   */
  watch<T extends Document>(key: Key, controller: AbortController): Promise<T | null>;
  /** Aborts all controllers that watch this document, and tells the processes that share the store. */
  end(key: Key): void;
  /** Aborts those of this process. */
  endHere(key: string): void;
  /** Aborts all controllers whose document was deleted elsewhere. */
  look(): Promise<void>;
}

/** Documents that are read at the same time. */
const DOCUMENTS_PER_READ = 100;

/** @param parts.tellOthers Tells the processes that share the store that a document was deleted. */
export function createWatches(parts: { store: Store; tellOthers?: (key: Key) => void }): Watches {
  const { store, tellOthers } = parts;
  const watched = new Set<Key>();
  const controllers = new Map<string, Set<AbortController>>();

  function endHere(key: string): void {
    for (const controller of [...(controllers.get(key) ?? [])]) controller.abort();
  }

  return {
    async watch<T extends Document>(key: Key, controller: AbortController) {
      const others = controllers.get(key) ?? new Set();
      controllers.set(key, others.add(controller));
      watched.add(key);
      function stop(): void {
        others.delete(controller);
        if (others.size > 0 || controllers.get(key) !== others) return;
        controllers.delete(key);
        watched.delete(key);
      }
      if (controller.signal.aborted) stop();
      else controller.signal.addEventListener("abort", stop, { once: true });
      const found = await store.get<T>(key);
      if (found === null) controller.abort();
      return found?.document ?? null;
    },

    end(key) {
      endHere(key);
      tellOthers?.(key);
    },

    endHere,

    async look() {
      const keys = [...watched];
      for (let at = 0; at < keys.length; at += DOCUMENTS_PER_READ) {
        const some = keys.slice(at, at + DOCUMENTS_PER_READ);
        const found = await store.getMany(some);
        for (const [index, key] of some.entries()) if (found[index] === null) endHere(key);
      }
    },
  };
}
