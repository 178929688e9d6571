/** The order in which forms show their fields, and runs evaluate the conditions of a branch. Pure. */

/** The names and values of an object by their `order`. Those without one, or with the same, stay as they stand. */
export const entriesInOrder = <Value extends { readonly order?: number | undefined }>(
  named: Readonly<Record<string, Value>>,
): [name: string, value: Value][] =>
  Object.entries(named).sort(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0));
