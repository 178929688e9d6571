/** A queue in which tenants take turns, so that none starves another. The items of one tenant stay in order. */

export interface FairQueue<Item> {
  readonly size: number;
  /** Whether an item of this tenant is in the queue. */
  has(tenant: string): boolean;
  add(tenant: string, item: Item): void;
  /** Removes an item. Does nothing if it is not in the queue. */
  remove(tenant: string, item: Item): void;
  /** Removes and returns the first item for which `isReady` holds, of the tenant whose last turn is longest ago. */
  take(isReady: (item: Item) => boolean): Item | undefined;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  /** Queues by tenant, in the order of their turns. */
  const queues = new Map<string, Item[]>();
  let size = 0;

  function remove(tenant: string, item: Item): void {
    const queue = queues.get(tenant) ?? [];
    const index = queue.indexOf(item);
    if (index < 0) return;
    size--;
    queue.splice(index, 1);
    if (queue.length === 0) queues.delete(tenant);
  }

  return {
    get size() {
      return size;
    },
    has: (tenant) => queues.has(tenant),
    add(tenant, item) {
      size++;
      const queue = queues.get(tenant);
      if (queue === undefined) queues.set(tenant, [item]);
      else queue.push(item);
    },
    remove,
    take(isReady) {
      for (const [tenant, queue] of queues) {
        const found = queue.find(isReady);
        if (found === undefined) continue;
        remove(tenant, found);
        if (queues.delete(tenant)) queues.set(tenant, queue); // moves the tenant to the end
        return found;
      }
      return undefined;
    },
  };
}
