/** `setTimeout` and `clearTimeout`. They end with the code, and waiting counts towards its time limit. */
import type { Platform } from "./sandboxed.ts";

interface Timer {
  readonly id: number;
  readonly at: number;
  /** Undefined if it has been cleared. */
  callback: (() => unknown) | undefined;
}

export function timerGlobals({ ask, onIdle }: Platform) {
  /** A longer delay is none, as on the platform. */
  const MAX_DELAY_MS = 2 ** 31 - 1;
  /** A binary heap: the next timer is first. */
  const heap: Timer[] = [];
  const timers = new Map<number, Timer>();
  let last = 0;

  const isBefore = (one: Timer, other: Timer): boolean =>
    one.at < other.at || (one.at === other.at && one.id < other.id);

  function add(timer: Timer): void {
    let place = heap.push(timer) - 1;
    for (;;) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (place === 0 || above === undefined || isBefore(above, timer)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = timer;
  }

  function removeFirst(): void {
    const moved = heap.pop();
    if (moved === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const [one, other] = [heap[left], heap[left + 1]];
      if (one === undefined) break;
      const isRight = other !== undefined && isBefore(other, one);
      const child = isRight ? other : one;
      if (isBefore(moved, child)) break;
      heap[place] = child;
      place = isRight ? left + 1 : left;
    }
    heap[place] = moved;
  }

  function setTimeout(callback: unknown, delay?: unknown, ...args: unknown[]): number {
    if (typeof callback !== "function") throw new TypeError("The callback of setTimeout must be a function.");
    const given = Math.trunc(Number(delay));
    const ms = given >= 1 && given <= MAX_DELAY_MS ? given : 1;
    const timer: Timer = {
      id: ++last,
      at: ask("timers.now", []) + ms,
      callback: () => Reflect.apply(callback, undefined, args),
    };
    timers.set(timer.id, timer);
    add(timer);
    return timer.id;
  }

  function clearTimeout(id: unknown): void {
    const timer = typeof id === "object" ? undefined : timers.get(Number(id));
    if (timer === undefined) return;
    timers.delete(timer.id);
    timer.callback = undefined;
  }

  /** Runs the first timer if it is due. Returns the milliseconds until the next one, or -1 if there is none. */
  onIdle(() => {
    for (let first = heap[0]; first !== undefined; first = heap[0]) {
      if (first.callback === undefined) {
        removeFirst();
        continue;
      }
      const wait = first.at - ask("timers.now", []);
      if (wait > 0) return wait;
      removeFirst();
      timers.delete(first.id);
      first.callback();
      return 0;
    }
    return -1;
  });

  return { setTimeout, clearTimeout };
}
