/** A queue in which tenants take turns, so that none starves another. The items of one tenant stay in order. */

export interface FairQueue<Item> {
  readonly size: number;
  /** Whether an item of this tenant is in the queue. */
  has(tenant: string): boolean;
  /** Adds an item at the end. Does nothing if it is in the queue. */
  add(tenant: string, item: Item): void;
  /** Removes an item. Does nothing if it is not in the queue. */
  remove(tenant: string, item: Item): void;
  /**
   * Removes and returns the first item for which `isReady` holds, of the tenant whose last turn is longest ago.
   * @param mayTake Whether a tenant may have a turn. @default each
   */
  take(isReady?: (item: Item) => boolean, mayTake?: (tenant: string) => boolean): Item | undefined;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  /** Queues by tenant, in the order of their turns. */
  const queues = new Map<string, Set<Item>>();
  let size = 0;

  function remove(tenant: string, item: Item): void {
    const queue = queues.get(tenant);
    if (queue?.delete(item) !== true) return;
    size--;
    if (queue.size === 0) queues.delete(tenant);
  }

  return {
    get size() {
      return size;
    },
    has: (tenant) => queues.has(tenant),
    add(tenant, item) {
      const queue = queues.get(tenant) ?? new Set();
      if (queue.has(item)) return;
      size++;
      queue.add(item);
      queues.set(tenant, queue);
    },
    remove,
    take(isReady = () => true, mayTake = () => true) {
      for (const [tenant, queue] of queues) {
        if (!mayTake(tenant)) continue;
        for (const item of queue) {
          if (!isReady(item)) continue;
          remove(tenant, item);
          if (queues.delete(tenant)) queues.set(tenant, queue); // moves the tenant to the end
          return item;
        }
      }
      return undefined;
    },
  };
}
