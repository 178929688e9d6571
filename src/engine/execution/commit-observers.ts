/** Notifies observers of a run's next commit. */
export class CommitObservers {
  private observers: (() => void)[] = [];

  /** Calls the observer once, after the next commit. */
  add(observer: () => void): void {
    this.observers.push(observer);
  }

  /** Resolves after the next commit. */
  next(): Promise<void> {
    return new Promise((resolve) => this.add(resolve));
  }

  notify(): void {
    if (this.observers.length === 0) return;
    const notified = this.observers;
    this.observers = [];
    for (const observer of notified) observer();
  }
}
