/** Sets of steps as bit sets, so that joining sets of hundreds of steps takes few operations. */

/** A set of indexes of steps. */
export type StepSet = Uint32Array;

const BITS = 32;

export function emptySet(steps: number): StepSet {
  return new Uint32Array(Math.ceil(steps / BITS));
}

export function setOf(steps: number, places: Iterable<number>): StepSet {
  const set = emptySet(steps);
  for (const place of places) addStep(set, place);
  return set;
}

export function addStep(set: StepSet, place: number): void {
  const word = place >>> 5;
  set[word] = wordAt(set, word) | (1 << (place % BITS));
}

export function hasStep(set: StepSet, place: number): boolean {
  return place >= 0 && (wordAt(set, place >>> 5) & (1 << (place % BITS))) !== 0;
}

export function addAll(set: StepSet, others: StepSet): void {
  for (let word = 0; word < set.length; word++) set[word] = wordAt(set, word) | wordAt(others, word);
}

export function keepAll(set: StepSet, others: StepSet): void {
  for (let word = 0; word < set.length; word++) set[word] = wordAt(set, word) & wordAt(others, word);
}

export function removeAll(set: StepSet, others: StepSet): void {
  for (let word = 0; word < set.length; word++) set[word] = wordAt(set, word) & ~wordAt(others, word);
}

/** The indexes in ascending order. */
export function indexesIn(set: StepSet): number[] {
  const places: number[] = [];
  for (let word = 0; word < set.length; word++) {
    for (let bits = wordAt(set, word); bits !== 0; bits &= bits - 1) {
      places.push(word * BITS + 31 - Math.clz32(bits & -bits));
    }
  }
  return places;
}

function wordAt(set: StepSet, word: number): number {
  return set[word] ?? 0;
}
