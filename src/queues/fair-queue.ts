/** What waits, by its owner: owners take turns, so that none starves another, and each one's items stay in order. */

export interface FairQueue<Item> {
  readonly size: number;
  /** Whether anything of this owner waits. */
  has(owner: string): boolean;
  add(owner: string, item: Item): void;
  /** Takes an item out of its turn; nothing happens when it is not there. */
  remove(owner: string, item: Item): void;
  /** Takes the first item for which `isReady` holds, of the owner whose last turn is longest ago. */
  take(isReady: (item: Item) => boolean): Item | undefined;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  /** In the order in which owners are asked next. */
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
        if (queues.delete(owner)) queues.set(owner, queue); // at the end: the other owners come first now
        return found;
      }
      return undefined;
    },
  };
}
