/** What is made when it is first asked for, and then kept. */

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
