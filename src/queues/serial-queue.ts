/** Runs tasks one after another. */
export type RunSerially = <T>(act: () => Promise<T>) => Promise<T>;

/** A task that rejects doesn't end the queue. */
export function createSerialQueue(): RunSerially {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act);
    last = turn.catch(() => {});
    return turn;
  };
}
