/** Notifies observers of a run's next commit. */

export interface CommitObservers {
  /** Calls the observer once, after the next commit. */
  add(observer: () => void): void;
  /** Resolves after the next commit. */
  next(): Promise<void>;
  notify(): void;
}

export function createCommitObservers(): CommitObservers {
  let observers: (() => void)[] = [];
  const add = (observer: () => void) => void observers.push(observer);
  return {
    add,
    next: () => new Promise(add),
    notify() {
      if (observers.length === 0) return;
      const notified = observers;
      observers = [];
      for (const observer of notified) observer();
    },
  };
}
