/** The open tasks of a run: those that are executing or ready, and those that wait. */
import type { EventWait, WakeUp } from "../execution/step-context.ts";
import type { Outcome } from "./step-state.ts";
import { type Task, taskName } from "./task.ts";

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

/** The tasks that wait, and what for. */
class Waits {
  readonly tasks = new Set<Task>();
  /** Those that wait for so short a time that the run stays in memory. */
  readonly short = new Set<Task>();
  readonly wakeUps = new Map<Task, WakeUp>();
  readonly events = new Map<Task, OpenEventWait>();
  readonly inputs = new Set<Task>();
}

/** Of the many runs in which nothing waits. */
const NO_WAITS = new Waits();

export class OpenTasks {
  private readonly whole = new Map<number, Task>();
  private items: Map<number, Map<number, Task>> | undefined;
  private waits: Waits | undefined;
  private earlier: Map<Task, Outcome> | undefined;
  /** Number of open tasks. */
  private size = 0;

  /** Opens a task that is to be executed. */
  open(index: number, item: number | null): Task {
    const task: Task = { index, item };
    this.size++;
    if (item === null) this.whole.set(index, task);
    else {
      this.items ??= new Map();
      const known = this.items.get(index);
      if (known === undefined) this.items.set(index, new Map([[item, task]]));
      else known.set(item, task);
    }
    return task;
  }

  /** Opens a task that waits. @param isShort Whether the run stays in memory meanwhile. */
  openWaiting(index: number, { wakeUp, event, isInput }: OpenWait, isShort: boolean): void {
    const task = this.open(index, null);
    const waits = this.wait(task, wakeUp, isShort);
    if (event !== undefined) waits.events.set(task, event);
    if (isInput === true) waits.inputs.add(task);
  }

  /** Lets a task wait for its next attempt. */
  waitForAttempt(task: Task, failed: Outcome, at: number): void {
    this.earlier ??= new Map();
    this.earlier.set(task, failed);
    this.wait(task, { kind: "execute", at }, at - failed.finished_at <= SHORT_WAIT_MS);
  }

  /** Ends the wait of a task that is to be executed. */
  wake(task: Task): void {
    if (this.waits?.tasks.delete(task) !== true) return;
    this.waits.short.delete(task);
    this.waits.wakeUps.delete(task);
    this.waits.events.delete(task);
    this.waits.inputs.delete(task);
  }

  /** Returns the earlier attempts that were stored. */
  close(task: Task): Outcome | undefined {
    const { index, item } = task;
    const before = this.earlier?.get(task);
    this.wake(task);
    this.earlier?.delete(task);
    this.size--;
    if (item === null) this.whole.delete(index);
    else this.items?.get(index)?.delete(item);
    return before;
  }

  /** Closes all tasks of a step. */
  closeAll(index: number): readonly Task[] {
    const closed = this.of(index);
    for (const task of closed) this.close(task);
    return closed;
  }

  find(index: number, item: number | null): Task | undefined {
    return item === null ? this.whole.get(index) : this.items?.get(index)?.get(item);
  }

  hasAny(index: number): boolean {
    return this.of(index).length > 0;
  }

  /** Whether all open tasks of a step wait. */
  allWait(index: number): boolean {
    return this.of(index).every((task) => this.isWaiting(task));
  }

  earlierAttempts(task: Task): Outcome | undefined {
    return this.earlier?.get(task);
  }

  /** See {@link Progress.keyAttempts}. */
  keyAttempts(): Readonly<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const [task, { retry }] of this.earlier ?? []) {
      if (retry !== undefined && retry.key !== 0) found[taskName(task)] = retry.key;
    }
    return found;
  }

  executable(): readonly Task[] {
    const all = [...this.whole.values()];
    for (const some of this.items?.values() ?? []) for (const task of some.values()) all.push(task);
    return all.filter((task) => !this.isWaiting(task));
  }

  count(): number {
    return this.size;
  }

  /** Number of tasks that wait, except for a short time. */
  waiting(): number {
    return this.waits === undefined ? 0 : this.waits.tasks.size - this.waits.short.size;
  }

  get wakeUps(): ReadonlyMap<Task, WakeUp> {
    return (this.waits ?? NO_WAITS).wakeUps;
  }

  /** The events that tasks wait for. */
  get eventWaits(): ReadonlyMap<Task, OpenEventWait> {
    return (this.waits ?? NO_WAITS).events;
  }

  /** The tasks that wait for input. */
  get inputs(): ReadonlySet<Task> {
    return (this.waits ?? NO_WAITS).inputs;
  }

  private of(index: number): Task[] {
    const one = this.whole.get(index);
    return one === undefined ? [...(this.items?.get(index)?.values() ?? [])] : [one];
  }

  private isWaiting(task: Task): boolean {
    return this.waits?.tasks.has(task) === true;
  }

  private wait(task: Task, wakeUp: WakeUp | undefined, isShort: boolean): Waits {
    this.waits ??= new Waits();
    this.waits.tasks.add(task);
    if (isShort) this.waits.short.add(task);
    if (wakeUp !== undefined) this.waits.wakeUps.set(task, wakeUp);
    return this.waits;
  }
}
