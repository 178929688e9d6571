/** The open tasks of a run: those that are executing or ready, and those that wait. */
import type { EventWait, WakeUp } from "../execution/step-context.ts";
import type { Outcome } from "./step-state.ts";
import { type Task, taskName } from "./task.ts";

export interface OpenTasks {
  /** Opens a task that is to be executed. */
  open(index: number, item: number | null): Task;
  /** Opens a task that waits. @param isShort Whether the run stays in memory meanwhile. */
  openWaiting(index: number, wait: OpenWait, isShort: boolean): void;
  /** Lets a task wait for its next attempt. */
  waitForAttempt(task: Task, failed: Outcome, at: number): void;
  /** Ends the wait of a task that is to be executed. */
  wake(task: Task): void;
  /** Returns the earlier attempts that were stored. */
  close(task: Task): Outcome | undefined;
  /** Closes all tasks of a step. */
  closeAll(index: number): readonly Task[];
  find(index: number, item: number | null): Task | undefined;
  hasAny(index: number): boolean;
  /** Whether all open tasks of a step wait. */
  allWait(index: number): boolean;
  earlierAttempts(task: Task): Outcome | undefined;
  keyAttempts(): Readonly<Record<string, number>>;
  executable(): readonly Task[];
  count(): number;
  /** Number of tasks that wait, except for a short time. */
  waiting(): number;
  readonly wakeUps: ReadonlyMap<Task, WakeUp>;
  /** The events that tasks wait for. */
  readonly eventWaits: ReadonlyMap<Task, OpenEventWait>;
  /** The tasks that wait for input. */
  readonly inputs: ReadonlySet<Task>;
}

/** What an open task waits for. */
export interface OpenWait {
  readonly isInput?: boolean;
  readonly wakeUp?: WakeUp | undefined;
  readonly event?: OpenEventWait | undefined;
}

/** The events that an open task waits for. */
export interface OpenEventWait extends EventWait {
  /** Events from this time on count, in milliseconds since 1970. */
  readonly since: number;
}

/** A shorter wait is not worth evicting the run from memory. */
export const SHORT_WAIT_MS = 1_000;

export function createOpenTasks(): OpenTasks {
  const whole = new Map<number, Task>();
  const items = new Map<number, Map<number, Task>>();
  const waiting = new Set<Task>();
  const shortWaits = new Set<Task>();
  const wakeUps = new Map<Task, WakeUp>();
  const eventWaits = new Map<Task, OpenEventWait>();
  const inputs = new Set<Task>();
  const earlier = new Map<Task, Outcome>();
  let count = 0;

  function open(index: number, item: number | null): Task {
    const task: Task = { index, item };
    count++;
    if (item === null) whole.set(index, task);
    else {
      const known = items.get(index);
      if (known === undefined) items.set(index, new Map([[item, task]]));
      else known.set(item, task);
    }
    return task;
  }

  function tasksOf(index: number): Task[] {
    const one = whole.get(index);
    return one === undefined ? [...(items.get(index)?.values() ?? [])] : [one];
  }

  function wake(task: Task): void {
    waiting.delete(task);
    shortWaits.delete(task);
    wakeUps.delete(task);
    eventWaits.delete(task);
    inputs.delete(task);
  }

  function wait(task: Task, wakeUp: WakeUp | undefined, isShort: boolean): void {
    waiting.add(task);
    if (isShort) shortWaits.add(task);
    if (wakeUp !== undefined) wakeUps.set(task, wakeUp);
  }

  function close(task: Task): Outcome | undefined {
    const { index, item } = task;
    const before = earlier.get(task);
    wake(task);
    earlier.delete(task);
    count--;
    if (item === null) whole.delete(index);
    else items.get(index)?.delete(item);
    return before;
  }

  return {
    open,
    openWaiting(index, { wakeUp, event, isInput }, isShort) {
      const task = open(index, null);
      wait(task, wakeUp, isShort);
      if (event !== undefined) eventWaits.set(task, event);
      if (isInput === true) inputs.add(task);
    },
    waitForAttempt(task, failed, at) {
      earlier.set(task, failed);
      wait(task, { kind: "execute", at }, at - failed.finished_at <= SHORT_WAIT_MS);
    },
    wake,
    close,
    closeAll(index) {
      const closed = tasksOf(index);
      for (const task of closed) close(task);
      return closed;
    },
    find: (index, item) => (item === null ? whole.get(index) : items.get(index)?.get(item)),
    hasAny: (index) => tasksOf(index).length > 0,
    allWait: (index) => tasksOf(index).every((task) => waiting.has(task)),
    earlierAttempts: (task) => earlier.get(task),
    keyAttempts: () =>
      Object.fromEntries(
        [...earlier].flatMap(([task, { retry }]) => {
          const key = retry?.key ?? 0;
          return key === 0 ? [] : [[taskName(task), key]];
        }),
      ),
    executable: () =>
      [...whole.values(), ...[...items.values()].flatMap((all) => [...all.values()])].filter(
        (task) => !waiting.has(task),
      ),
    count: () => count,
    waiting: () => waiting.size - shortWaits.size,
    wakeUps,
    eventWaits,
    inputs,
  };
}
