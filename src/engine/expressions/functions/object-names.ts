/** Lists the names of large objects once. Listing 400,000 names takes as long as visiting their values. */

/** Number of names from which they are kept. */
const MIN_KEPT_NAMES = 1_000;

/** Names of values that never change, such as outputs. */
const kept = new WeakMap<object, readonly string[]>();

/** Returns the names of an object of JSON, in their order. The object must not change afterwards. */
export function namesOf(object: object): readonly string[] {
  const known = kept.get(object);
  if (known !== undefined) return known;
  const names = Object.keys(object);
  if (names.length >= MIN_KEPT_NAMES) kept.set(object, names);
  return names;
}
