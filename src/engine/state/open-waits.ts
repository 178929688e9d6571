/** The waits of a run for input and for events, as its document has them. */
import { isSameWait, type StoredWait } from "../../app-events/event-wait.ts";
import { omitUndefined } from "../../json.ts";
import type { OpenInput } from "../../runs/open-input.ts";
import { instant } from "../../time/iso.ts";
import type { Plan } from "../compile/plan.ts";
import type { Progress } from "../progress/progress.ts";
import type { RunDocument } from "./run-document.ts";

/** Returns the run with the waits that are open now. */
export function withOpenWaits(document: RunDocument, plan: Plan, progress: Progress): RunDocument {
  const hasWaits = progress.eventWaits.size > 0 || progress.inputTasks.size > 0;
  if (!hasWaits && document.event_waits === undefined && document.inputs === undefined) return document;
  const { event_waits: _, inputs: _inputs, ...rest } = document;
  return { ...rest, ...omitUndefined({ event_waits: eventWaits(progress), inputs: openInputs(plan, progress) }) };
}

function eventWaits(progress: Progress): StoredWait[] | undefined {
  if (progress.eventWaits.size === 0) return undefined;
  return [...progress.eventWaits].map(([task, { name, subject, since }]) => {
    return { step: task.index, iteration: progress.iteration(task), name, subject, since: instant(since) };
  });
}

function openInputs(plan: Plan, progress: Progress): OpenInput[] | undefined {
  if (progress.inputTasks.size === 0) return undefined;
  return [...progress.inputTasks].map((task) => {
    const { index } = task;
    const until = progress.wakeUps.get(task)?.at;
    return {
      step: index,
      key: plan.steps[index]?.step.key ?? "",
      iteration: progress.iteration(task),
      since: instant(progress.scope(task).now.getTime()),
      until: until === undefined ? null : instant(until),
    };
  });
}

/** Whether two states of a run have the same waits. */
export function hasSameWaits(one: RunDocument, other: RunDocument): boolean {
  return hasSame(one.event_waits, other.event_waits) && hasSame(one.inputs, other.inputs);
}

type Wait = Pick<StoredWait, "step" | "iteration">;

function hasSame(one: readonly Wait[] = [], other: readonly Wait[] = []): boolean {
  return one.length === other.length && one.every((wait) => other.some((known) => isSameWait(wait, known)));
}
