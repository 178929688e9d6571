/** Notifies long responses of this process when their app is deleted or their key ends. */

export interface Watches {
  /**
   * Aborts the controller when the item with this id ends or does not exist. Stops watching when the controller is aborted.
   * @param read Reads the item, or null. Called after the watch began, so that no end is missed.
   */
  watch<T>(id: string, read: () => Promise<T | null>, controller: AbortController): Promise<T | null>;
  /** Aborts all controllers that watch this item. */
  end(id: string): void;
}

export function createWatches(): Watches {
  const watches = new Map<string, Set<AbortController>>();
  return {
    async watch(id, read, controller) {
      const others = watches.get(id) ?? new Set();
      watches.set(id, others.add(controller));
      function stop(): void {
        others.delete(controller);
        if (others.size === 0 && watches.get(id) === others) watches.delete(id);
      }
      if (controller.signal.aborted) stop();
      else controller.signal.addEventListener("abort", stop, { once: true });
      const found = await read();
      if (found === null) controller.abort();
      return found;
    },

    end(id) {
      for (const controller of [...(watches.get(id) ?? [])]) controller.abort();
    },
  };
}
