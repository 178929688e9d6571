/** The clock of the machine. */
import type { Clock } from "../ports/clock.ts";

/** Timers hold at most this much (a signed 32-bit number of milliseconds); longer waits go in laps. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** How often what waits for a moment is compared with the wall clock, while anything does. */
const ALARM_CHECK_INTERVAL_MS = 1_000;

interface Alarm {
  readonly moment: number;
  fire(): void;
}

/** The timer fires when the time has elapsed, in laps where it is long. */
function after(milliseconds: number, callback: () => void): () => void {
  let cancel = () => {};
  function lap(left: number): void {
    const time = Math.min(left, MAX_TIMER_MS);
    cancel = startTimer(time, left > time ? () => lap(left - time) : callback);
  }
  lap(milliseconds);
  return () => cancel();
}

/** The wall clock and the timers of the machine. */
export function createSystemClock(): Clock {
  const alarms = new Set<Alarm>();
  let isChecking = false;

  /**
   * Timers measure elapsed time: they know nothing of a wall clock that was set, and stand still while the machine sleeps.
   * One look for all alarms finds those that are due by the wall clock, whatever kept their timers from firing.
   */
  function checkAlarms(): void {
    if (isChecking) return;
    isChecking = true;
    startTimer(ALARM_CHECK_INTERVAL_MS, () => {
      isChecking = false;
      const now = Date.now();
      const due = [...alarms].filter(({ moment }) => moment <= now).sort((one, other) => one.moment - other.moment);
      if (alarms.size > due.length) checkAlarms();
      // One that fires may cancel another.
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

/** One that services may share. */
export const systemClock: Clock = createSystemClock();

/** Calls back when the wall clock has reached a moment; the answer cancels. For what is stored as a moment. */
export function atMoment(clock: Clock, moment: number, callback: () => void): () => void {
  return clock.at?.(moment, callback) ?? clock.after(Math.max(0, moment - clock.now()), callback);
}

/** Milliseconds since any one moment, to measure how long something takes. */
export function elapsedOf(clock: Clock): number {
  return clock.elapsed?.() ?? clock.now();
}

/** A timer would take a millisecond at least, and more once it was set a few times. Kept: tests may replace it. */
const { setImmediate } = globalThis;

/** Calls back in a later turn of the event loop. */
export function inNextTurn(clock: Clock, callback: () => void): void {
  if (clock.nextTurn !== undefined) clock.nextTurn(callback);
  else if (setImmediate !== undefined) setImmediate(callback);
  else postToSelf(callback);
}

/** For runtimes that have no `setImmediate`. */
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

/** Node and Bun give an object; Deno and browsers a number, which holds no process. */
function unref(timer: ReturnType<typeof setTimeout>): void {
  if (typeof timer === "object") timer.unref();
}
