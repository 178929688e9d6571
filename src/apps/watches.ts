/** Notifies long responses of this process when their app is deleted or their key ends. */

export interface Watches {
  /**
   * Aborts the controller when the item with this id ends or does not exist. Stops watching when the controller is aborted.
   * @param read Reads the item, or null. Called after the watch began, so that no end is missed.
   */
  watch<T>(id: string, read: () => Promise<T | null>, follower: AbortController): Promise<T | null>;
  /** Aborts all controllers that watch this item. */
  end(id: string): void;
}

export function createWatches(): Watches {
  const watches = new Map<string, Set<AbortController>>();
  return {
    async watch(id, read, follower) {
      const others = watches.get(id) ?? new Set();
      watches.set(id, others.add(follower));
      function stop(): void {
        others.delete(follower);
        if (others.size === 0 && watches.get(id) === others) watches.delete(id);
      }
      if (follower.signal.aborted) stop();
      else follower.signal.addEventListener("abort", stop, { once: true });
      const found = await read();
      if (found === null) follower.abort();
      return found;
    },

    end(id) {
      for (const follower of [...(watches.get(id) ?? [])]) follower.abort();
    },
  };
}
