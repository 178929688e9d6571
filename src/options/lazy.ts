/** Creates a value when it is first needed, and keeps it. */

export function lazily<T>(make: () => Promise<T>) {
  let made: Promise<T> | undefined;
  return {
    get(): Promise<T> {
      made ??= make();
      return made;
    },
    made: () => made,
  };
}
