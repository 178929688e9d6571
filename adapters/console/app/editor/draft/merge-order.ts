/** The order of steps that two people have changed: each keeps the places of their own changes. Pure. */

/** Where the keys of a side stand between those of the base. */
interface Places {
  /** Keys that stand before the base's key of that index, or at its end: new ones in a gap, then those in its place. */
  readonly inserted: ReadonlyMap<number, readonly string[]>;
  readonly replaced: ReadonlyMap<number, readonly string[]>;
  /** Keys of the base in another order. */
  readonly moved: ReadonlySet<string>;
}

/**
 * All keys of the three lists. A key that one side has moved stands as there, and one that both have moved as in theirs. New
 * keys of both in one gap are mine, then theirs.
 */
export function mergedOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): readonly string[] {
  const [own, others] = [placesIn(base, mine), placesIn(base, theirs)];
  const isMoved = (key: string) => own.moved.has(key) || others.moved.has(key);
  const order = new Set<string>();
  const add = (keys: readonly string[] = [], isOwn = false) => {
    for (const key of keys) if (!isOwn || !others.moved.has(key)) order.add(key);
  };
  for (let index = 0; index <= base.length; index++) {
    add(own.inserted.get(index), true);
    add(others.inserted.get(index));
    add(own.replaced.get(index), true);
    add(others.replaced.get(index));
    const key = base[index];
    if (key !== undefined && !isMoved(key)) order.add(key);
  }
  return [...order];
}

function placesIn(base: readonly string[], side: readonly string[]): Places {
  const indexes = new Map(base.map((key, index) => [key, index]));
  const kept = longestRising(side.map((key) => indexes.get(key)));
  const inserted = new Map<number, string[]>();
  const replaced = new Map<number, string[]>();
  const moved = new Set<string>();
  let start = 0;
  let between: string[] = [];
  const close = (end: number) => {
    between.forEach((key, nth) => {
      // Keys that replace others, such as new names, stand where those stood.
      const place = start === end ? inserted : replaced;
      const index = start === end ? start : Math.min(start + nth, end - 1);
      place.set(index, [...(place.get(index) ?? []), key]);
      if (indexes.has(key)) moved.add(key);
    });
    between = [];
  };
  for (const key of side) {
    const index = indexes.get(key);
    if (index === undefined || !kept.has(index)) {
      between.push(key);
      continue;
    }
    close(index);
    start = index + 1;
  }
  close(base.length);
  return { inserted, replaced, moved };
}

/** The numbers of one of the longest rising parts of a list. Gaps in the list are passed over. */
function longestRising(numbers: readonly (number | undefined)[]): ReadonlySet<number> {
  /** For each length, the least number with which a part of that length ends. */
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const number of numbers) {
    if (number === undefined || before.has(number)) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    before.set(number, ends[low - 1]);
    ends[low] = number;
  }
  const rising = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) rising.add(at);
  return rising;
}
