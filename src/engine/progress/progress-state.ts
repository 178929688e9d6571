/** What a run has come to: the states of its steps, its open tasks, and what they see. Only {@link RunProgress} changes it. */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import type { RunError } from "../../runs/run.ts";
import type { Plan } from "../compile/plan.ts";
import type { WakeUp } from "../execution/step-context.ts";
import type { BaseScope, ExpressionScope } from "../expressions/expression-scope.ts";
import { type ForEachState, type ItemResults, withItems } from "./for-each.ts";
import type { LoopState } from "./loop-state.ts";
import { type OpenEventWait, OpenTasks } from "./open-tasks.ts";
import { ReachedSteps } from "./reached-steps.ts";
import { type OnWaitFailure, ReceivedEvents } from "./received-events.ts";
import { historyOf, type StepHistories, type StepHistory } from "./step-history.ts";
import type { StepLog } from "./step-log.ts";
import { StepScopes } from "./step-scopes.ts";
import type { Outcome, StepState } from "./step-state.ts";
import type { Task } from "./task.ts";

/** Each run has one. What few runs need is created when it is needed. */
export class ProgressState {
  /** Indexes of the settled steps, in the order in which they settled. */
  readonly order: number[] = [];
  protected readonly plan: Plan;
  protected readonly states: (StepState | undefined)[];
  protected readonly reached: ReachedSteps;
  protected readonly tasks = new OpenTasks();
  protected readonly received = new ReceivedEvents(this.tasks);
  protected readonly scopes: StepScopes;
  protected loops: Map<number, LoopState> | undefined;
  /** The items of steps with `for_each`. */
  protected repeated: Map<number, ForEachState> | undefined;
  /** Results of steps with `for_each` that the run keeps from before it was retried. */
  protected kept: Map<number, ItemResults> | undefined;
  /** When steps became ready, in milliseconds since 1970. */
  protected readonly readyAt = new Map<number, number>();
  protected histories: StepHistories;
  protected failed: RunError | null = null;

  constructor(plan: Plan, base: BaseScope) {
    this.plan = plan;
    this.states = new Array<StepState | undefined>(plan.steps.length);
    this.reached = new ReachedSteps(plan.graph);
    this.scopes = new StepScopes(plan, base, this.states);
  }

  /** Undefined for a step that has not become ready. */
  state(index: number): StepState | undefined {
    const state = this.states[index];
    const each = this.repeated?.get(index);
    if (state === undefined || each === undefined || state.items !== undefined) return state;
    return withItems(state, each.results(), this.tasks.allWait(index));
  }

  /** The log of a step, or what its completed items or iterations have logged. */
  log(index: number): StepLog {
    return this.states[index]?.logs ?? NO_LINES;
  }

  /**
   * The completed iterations of a step with a loop that another one follows. Undefined for a step that waits: its outputs say
   * which events the run has received, so that all of them are read again.
   */
  loop(index: number): Pick<LoopState, "iteration" | "spent"> | undefined {
    return this.plan.steps[index]?.executable.kind === "wait" ? undefined : this.loops?.get(index);
  }

  /** What is kept of the attempts, repetitions and items of a step. */
  history(index: number): StepHistory | undefined {
    return historyOf(this.histories, index);
  }

  /** The results of the items of a step with `for_each`; undefined for others. */
  itemResults(index: number): ItemResults | undefined {
    return this.kept?.get(index) ?? this.repeated?.get(index)?.results();
  }

  /** The variables that an open task sees. */
  scope({ index, item }: Task): ExpressionScope {
    const at = this.readyAt.get(index) ?? 0;
    const each = this.repeated?.get(index);
    const isItem = each !== undefined && item !== null;
    return isItem ? this.scopes.itemScopeAt(index, at, each, item) : this.scopeAt(index, at);
  }

  /** Number of the iteration that is running or comes next, or of the item, from 1. */
  iteration({ index, item }: Task): number {
    return (item ?? this.loops?.get(index)?.iteration ?? 0) + 1;
  }

  /** The last attempt of a task that was stored, if another one follows. */
  earlierAttempts(task: Task): Outcome | undefined {
    return this.tasks.earlierAttempts(task);
  }

  /** What the key of the next attempt carries, by {@link taskName}, of each open task whose key an attempt changed. */
  keyAttempts(): Readonly<Record<string, number>> {
    return this.tasks.keyAttempts();
  }

  /** The open task of a step, or of one of its items. */
  task(index: number, item: number | null): Task | undefined {
    return this.tasks.find(index, item);
  }

  /** Open tasks that don't wait. */
  executable(): readonly Task[] {
    return this.tasks.executable();
  }

  /** Number of tasks that are executing, ready or waiting. */
  open(): number {
    return this.tasks.count();
  }

  /** Number of tasks that wait for input, or for a point in time that is far enough away to evict the run. */
  waiting(): number {
    return this.tasks.waiting();
  }

  get wakeUps(): ReadonlyMap<Task, WakeUp> {
    return this.tasks.wakeUps;
  }

  /** The events that open tasks wait for. */
  get eventWaits(): ReadonlyMap<Task, OpenEventWait> {
    return this.tasks.eventWaits;
  }

  /** The tasks that wait for input. */
  get inputTasks(): ReadonlySet<Task> {
    return this.tasks.inputs;
  }

  /** The open tasks that wait for an event like this one. None if the run has received it before. */
  waitingFor(event: ReceivedEvent, onFailure?: OnWaitFailure): readonly Task[] {
    return this.received.waitingFor(event, onFailure);
  }

  /** Why the run failed, or null. */
  failure(): RunError | null {
    return this.failed;
  }

  /** @param ended The iteration that has just ended. */
  protected scopeAt(index: number, at: number, ended?: StepState): ExpressionScope {
    return this.scopes.scopeAt(index, at, this.loops?.get(index), ended);
  }
}

const NO_LINES: StepLog = [];
