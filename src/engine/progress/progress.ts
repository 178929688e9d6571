/** The progress of a run: which steps have settled, and which tasks to execute next. */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import type { RunError } from "../../runs/run.ts";
import type { WakeUp } from "../execution/step-context.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import type { ItemResults } from "./for-each.ts";
import type { LoopState } from "./loop-state.ts";
import type { OpenEventWait } from "./open-tasks.ts";
import type { OnWaitFailure } from "./received-events.ts";
import type { StepHistory } from "./step-history.ts";
import type { StepLog } from "./step-log.ts";
import type { Outcome, StepState } from "./step-state.ts";
import type { Task } from "./task.ts";

export interface Progress {
  /** Undefined for a step that has not become ready. */
  state(index: number): StepState | undefined;
  /** The log of a step, or what its completed items or iterations have logged. */
  log(index: number): StepLog;
  /**
   * The completed iterations of a step with a loop that another one follows. Undefined for a step that waits: its outputs say
   * which events the run has received, so that all of them are read again.
   */
  loop(index: number): Pick<LoopState, "iteration" | "spent"> | undefined;
  /** The results of the items of a step with `for_each`; undefined for others. */
  itemResults(index: number): ItemResults | undefined;
  /** What is kept of the attempts, repetitions and items of a step. */
  history(index: number): StepHistory | undefined;
  /** The variables that an open task sees. */
  scope(task: Task): ExpressionScope;
  /** Number of the iteration that is running or comes next, or of the item, from 1. */
  iteration(task: Task): number;
  /** The last attempt of a task that was stored, if another one follows. */
  earlierAttempts(task: Task): Outcome | undefined;
  /** What the key of the next attempt carries, by {@link taskName}, of each open task whose key an attempt changed. */
  keyAttempts(): Readonly<Record<string, number>>;
  /** The open task of a step, or of one of its items. */
  task(index: number, item: number | null): Task | undefined;
  /**
   * Starts the run and returns the tasks to execute. While {@link Progress.isPaused} is true after this or {@link
   * Progress.settle}, the returned tasks are incomplete. Call {@link Progress.resume} for the others before anything
   * else.
   */
  start(at: number): readonly Task[];
  /**
   * Applies the outcome of an open task and returns the tasks to execute next, including one for the next iteration of the
   * same step.
   */
  settle(task: Task, outcome: Outcome): readonly Task[];
  /**
   * Applies what is kept of a step when its run is retried: its outcome, or the items that were completed. Returns the tasks
   * to execute next. Does nothing if the step has settled by itself.
   */
  restore(index: number, outcome: Outcome): readonly Task[];
  /** Ends the wait of a task whose next attempt or iteration is due, and returns it. */
  wake(task: Task): Task;
  /** Whether to continue in a later turn of the event loop, because expressions have used up this one. */
  isPaused(): boolean;
  /** Continues after a pause and returns more tasks to execute. When it is called doesn't affect the result. */
  resume(): readonly Task[];
  /** Open tasks that don't wait. */
  executable(): readonly Task[];
  /** Tasks that were dropped since the last call, because another item of their step failed. */
  takeDropped(): readonly Task[];
  /** Number of tasks that are executing, ready or waiting. */
  open(): number;
  /** Number of tasks that wait for input, or for a point in time that is far enough away to evict the run. */
  waiting(): number;
  readonly wakeUps: ReadonlyMap<Task, WakeUp>;
  /** The events that open tasks wait for. */
  readonly eventWaits: ReadonlyMap<Task, OpenEventWait>;
  /** The tasks that wait for input. */
  readonly inputTasks: ReadonlySet<Task>;
  /** The open tasks that wait for an event like this one. None if the run has received it before. */
  waitingFor(event: ReceivedEvent, onFailure?: OnWaitFailure): readonly Task[];
  /** Why the run failed, or null. */
  failure(): RunError | null;
  /** Indexes of the settled steps, in the order in which they settled. */
  readonly order: readonly number[];
}

/** When a run continued with earlier outcomes, in milliseconds since 1970. */
export interface Continued {
  /** When the run was retried: waits have their whole time limit from then. 0 if it was not. */
  readonly retriedAt: number;
  /** When a run began that keeps outcomes of another one: what follows them becomes ready then. 0 if it keeps none. */
  readonly continuedAt: number;
}

export const NOT_CONTINUED: Continued = { retriedAt: 0, continuedAt: 0 };
