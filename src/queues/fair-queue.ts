/**
 * A queue in which tenants take turns, so that none starves another. The items of one tenant stay in order, after those with
 * a higher priority.
 */

export interface FairQueue<Item> {
  readonly size: number;
  /** Whether an item of this tenant is in the queue. */
  has(tenant: string): boolean;
  /**
   * Adds an item after those with the same priority. Does nothing if it is in the queue.
   * @param priority Higher first, among the items of the tenant. @default 0
   */
  add(tenant: string, item: Item, priority?: number): void;
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
  const queues = new Map<string, PriorityQueue<Item>>();
  let size = 0;

  function remove(tenant: string, item: Item): void {
    const queue = queues.get(tenant);
    if (queue?.delete(item) !== true) return;
    size--;
    if (queue.isEmpty()) queues.delete(tenant);
  }

  return {
    get size() {
      return size;
    },
    has: (tenant) => queues.has(tenant),
    add(tenant, item, priority = 0) {
      const queue = queues.get(tenant) ?? createPriorityQueue();
      if (!queue.add(item, priority)) return;
      size++;
      queues.set(tenant, queue);
    },
    remove,
    take(isReady = () => true, mayTake = () => true) {
      for (const [tenant, queue] of queues) {
        if (!mayTake(tenant)) continue;
        for (const item of queue.items()) {
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

interface PriorityQueue<Item> {
  /** Returns whether it was added: false if it is in the queue already. */
  add(item: Item, priority: number): boolean;
  /** Returns whether it was in the queue. */
  delete(item: Item): boolean;
  isEmpty(): boolean;
  items(): Iterable<Item>;
}

function createPriorityQueue<Item>(): PriorityQueue<Item> {
  const priorities = new Map<Item, number>();
  /** Few different ones, highest first. */
  let levels: { readonly priority: number; readonly items: Set<Item> }[] = [];
  return {
    add(item, priority) {
      if (priorities.has(item)) return false;
      priorities.set(item, priority);
      const level = levels.find((one) => one.priority === priority);
      if (level !== undefined) level.items.add(item);
      else levels = [...levels, { priority, items: new Set([item]) }].sort((a, b) => b.priority - a.priority);
      return true;
    },
    delete(item) {
      const priority = priorities.get(item);
      const level = levels.find((one) => one.priority === priority);
      if (level === undefined) return false;
      priorities.delete(item);
      level.items.delete(item);
      if (level.items.size === 0) levels = levels.filter((one) => one !== level);
      return true;
    },
    isEmpty: () => priorities.size === 0,
    *items() {
      for (const { items } of levels) yield* items;
    },
  };
}
