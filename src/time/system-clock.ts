/** The system clock. */
import type { Clock } from "../ports/clock.ts";

/** Maximum delay of a timer (a signed 32-bit number of milliseconds). Longer delays are split. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** How often pending alarms are compared with the wall clock. */
const ALARM_CHECK_INTERVAL_MS = 1_000;

interface Alarm {
  readonly moment: number;
  fire(): void;
}

/** Calls back after a delay of any length. Splits long delays. */
function after(milliseconds: number, callback: () => void): () => void {
  let cancel = () => {};
  function lap(left: number): void {
    const time = Math.min(left, MAX_TIMER_MS);
    cancel = startTimer(time, left > time ? () => lap(left - time) : callback);
  }
  lap(milliseconds);
  return () => cancel();
}

/** Creates a clock from the system's wall clock and timers. */
export function createSystemClock(): Clock {
  const alarms = new Set<Alarm>();
  let isChecking = false;

  /**
   * Fires all alarms that are due by the wall clock. Timers measure elapsed time: they don't notice when the wall clock
   * is adjusted, and stop while the machine sleeps.
   */
  function checkAlarms(): void {
    if (isChecking) return;
    isChecking = true;
    startTimer(ALARM_CHECK_INTERVAL_MS, () => {
      isChecking = false;
      const now = Date.now();
      const due = [...alarms].filter(({ moment }) => moment <= now).sort((one, other) => one.moment - other.moment);
      if (alarms.size > due.length) checkAlarms();
      // An alarm's callback may cancel another alarm.
      for (const alarm of due) if (alarms.has(alarm)) alarm.fire();
    });
  }

  function at(moment: number, callback: () => void): () => void {
    let cancelTimer = () => {};
    const alarm: Alarm = {
      moment,
      fire() {
        stop();
        callback();
      },
    };
    function stop(): void {
      cancelTimer();
      alarms.delete(alarm);
    }
    function arm(): void {
      cancelTimer = after(Math.max(0, moment - Date.now()), () => {
        // The clock was set back meanwhile.
        if (Date.now() < moment) arm();
        else alarm.fire();
      });
    }
    alarms.add(alarm);
    arm();
    checkAlarms();
    return stop;
  }

  return { now: () => Date.now(), after, at, elapsed: () => performance.now() };
}

/** A clock that services may share. */
export const systemClock: Clock = createSystemClock();

/** Calls back when the wall clock reaches a moment. Returns a function that cancels. Use it for stored times. */
export function atMoment(clock: Clock, moment: number, callback: () => void): () => void {
  return clock.at?.(moment, callback) ?? clock.after(Math.max(0, moment - clock.now()), callback);
}

/** Returns milliseconds since a fixed moment, to measure durations. */
export function elapsedOf(clock: Pick<Clock, "now" | "elapsed">): number {
  return clock.elapsed?.() ?? clock.now();
}

/** A timer would take at least a millisecond, and more if nested. Saved, because tests may replace the global. */
const { setImmediate } = globalThis;

/** Calls back in a later turn of the event loop. */
export function inNextTurn(clock: Clock, callback: () => void): void {
  if (clock.nextTurn !== undefined) clock.nextTurn(callback);
  else if (setImmediate !== undefined) setImmediate(callback);
  else postToSelf(callback);
}

/** For runtimes without `setImmediate`. */
function postToSelf(callback: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(null);
}

function startTimer(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  unref(timer);
  return () => clearTimeout(timer);
}

/** Node.js and Bun return an object. Deno and browsers return a number, which doesn't keep the process alive. */
function unref(timer: ReturnType<typeof setTimeout>): void {
  if (typeof timer === "object") timer.unref();
}
