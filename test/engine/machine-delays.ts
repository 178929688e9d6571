/** Tells apart how long ours took and how long a busy machine did, for the few tests of a promise in milliseconds. */

/** What a machine that has other things to do kept everybody waiting meanwhile, in milliseconds: none on one that is free. */
export function watchDelays(): () => number {
  const TURN = 5;
  let late = 0;
  let due = performance.now() + TURN;
  const timer = setInterval(() => {
    late += Math.max(0, performance.now() - due - 1);
    due = performance.now() + TURN;
  }, TURN);
  return () => {
    clearInterval(timer);
    return late + Math.max(0, performance.now() - due);
  };
}
