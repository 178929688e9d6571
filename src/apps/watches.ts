/** Who waits in this process for the end of something: answers that last longer than the check of their caller. */

export interface Watches {
  /**
   * Aborts the controller when the thing with this id ends, or is not there; stops watching once it is aborted.
   * @param read The thing, or null. Called once it is watched, so that no end falls between the two.
   */
  watch<T>(id: string, read: () => Promise<T | null>, follower: AbortController): Promise<T | null>;
  /** Aborts everything that watches this. */
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
