/** The events that a run waits for and has received. Pure. */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import { isRecord } from "../../json.ts";
import type { OnConditionFailure } from "../execution/step-context.ts";
import type { OpenEventWait, OpenTasks } from "./open-tasks.ts";
import type { Outcome } from "./step-state.ts";
import type { Task } from "./task.ts";

/** Called for a task whose condition cannot be evaluated for an event. */
export type OnWaitFailure = (task: Task, ...failure: Parameters<OnConditionFailure>) => void;

export class ReceivedEvents {
  private ids: Set<string> | undefined;
  private readonly tasks: Pick<OpenTasks, "eventWaits">;

  constructor(tasks: Pick<OpenTasks, "eventWaits">) {
    this.tasks = tasks;
  }

  /** Call this before the task closes. */
  note(task: Task, { output }: Outcome): void {
    if (!this.tasks.eventWaits.has(task) || !isRecord(output)) return;
    const { id } = output; // the output of a wait is the event
    if (typeof id !== "string") return;
    this.ids ??= new Set();
    this.ids.add(id);
  }

  /** The open tasks that wait for an event like this one. None if the run has received it before. */
  waitingFor(event: ReceivedEvent, onFailure?: OnWaitFailure): readonly Task[] {
    if (this.ids?.has(event.id) === true) return [];
    return [...this.tasks.eventWaits].flatMap(([task, wait]) => {
      return isAwaited(wait, event, (error, isFirst) => onFailure?.(task, error, isFirst)) ? [task] : [];
    });
  }
}

function isAwaited(wait: OpenEventWait, event: ReceivedEvent, onFailure: OnConditionFailure): boolean {
  if (wait.name !== event.name || (wait.subject !== null && wait.subject !== event.subject)) return false;
  return Date.parse(event.created_at) >= wait.since && wait.matches(event, onFailure);
}
