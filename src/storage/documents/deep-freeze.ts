/** Freezes documents, because they are shared. */

/** Freezes a value and everything in it. */
export function deepFreeze<T extends object>(value: T): T {
  for (const item of Object.values(value)) {
    if (typeof item === "object" && item !== null) deepFreeze(item);
  }
  return Object.freeze(value);
}
