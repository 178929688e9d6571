/** A queue in which owners take turns, so that none starves another. The items of one owner stay in order. */

export interface FairQueue<Item> {
  readonly size: number;
  /** Whether an item of this owner is in the queue. */
  has(owner: string): boolean;
  add(owner: string, item: Item): void;
  /** Removes an item. Does nothing if it is not in the queue. */
  remove(owner: string, item: Item): void;
  /** Removes and returns the first item for which `isReady` holds, of the owner whose last turn is longest ago. */
  take(isReady: (item: Item) => boolean): Item | undefined;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  /** Queues by owner, in the order of their turns. */
  const queues = new Map<string, Item[]>();
  let size = 0;

  function remove(owner: string, item: Item): void {
    const queue = queues.get(owner) ?? [];
    const index = queue.indexOf(item);
    if (index < 0) return;
    size--;
    queue.splice(index, 1);
    if (queue.length === 0) queues.delete(owner);
  }

  return {
    get size() {
      return size;
    },
    has: (owner) => queues.has(owner),
    add(owner, item) {
      size++;
      const queue = queues.get(owner);
      if (queue === undefined) queues.set(owner, [item]);
      else queue.push(item);
    },
    remove,
    take(isReady) {
      for (const [owner, queue] of queues) {
        const found = queue.find(isReady);
        if (found === undefined) continue;
        remove(owner, found);
        if (queues.delete(owner)) queues.set(owner, queue); // moves the owner to the end
        return found;
      }
      return undefined;
    },
  };
}
