/** Sets of steps as bit sets, so that joining sets of hundreds of steps takes few operations. */

/** A set of indexes of steps. */
export type StepSet = Uint32Array;

const BITS = 32;

export function emptySet(steps: number): StepSet {
  return new Uint32Array(Math.ceil(steps / BITS));
}

export function setOf(steps: number, indexes: Iterable<number>): StepSet {
  const set = emptySet(steps);
  for (const index of indexes) addStep(set, index);
  return set;
}

export function addStep(set: StepSet, index: number): void {
  const word = index >>> 5;
  set[word] = wordAt(set, word) | (1 << (index % BITS));
}

export function hasStep(set: StepSet, index: number): boolean {
  return index >= 0 && (wordAt(set, index >>> 5) & (1 << (index % BITS))) !== 0;
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
  const indexes: number[] = [];
  for (let word = 0; word < set.length; word++) {
    for (let bits = wordAt(set, word); bits !== 0; bits &= bits - 1) {
      indexes.push(word * BITS + 31 - Math.clz32(bits & -bits));
    }
  }
  return indexes;
}

function wordAt(set: StepSet, word: number): number {
  return set[word] ?? 0;
}
