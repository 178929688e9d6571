/** The last attempts of a step, an item or a repetition. Pure. */
import { omitUndefined } from "../../json.ts";
import type { StepAttempt } from "../../runs/inspection/step-details.ts";
import { instant } from "../../time/iso.ts";
import type { EndedAttempt, StepHistory } from "../progress/step-history.ts";
import { NUMBERS_PER_ITEM } from "../progress/step-history.ts";
import type { Outcome } from "../progress/step-state.ts";
import type { InspectedRun } from "./inspected-run.ts";
import { failureOfPart } from "./step-parts.ts";

/** Attempts of a step that are shown. */
const MAX_SHOWN = 20;
const MAX_MESSAGE_CHARS = 500;

/** @param part Index of an item or a repetition. @default all of them */
export function attemptsOf(run: InspectedRun, index: number, part: number | undefined): readonly StepAttempt[] {
  const history = run.history(index);
  const isPart = ({ item }: EndedAttempt) => part === undefined || item === part;
  const kept = [...(history?.attempts ?? []), ...openAttempts(run, index)].filter(isPart);
  const single = history?.ended === undefined ? wholeStep(run, index, kept) : singleAttempts(run, index, history, part);
  const all = [...kept, ...single].sort(byEnd);
  return all.slice(-MAX_SHOWN).map(({ number, item, started_at, finished_at, error }) => ({
    number,
    ...omitUndefined({ item }),
    started_at: instant(started_at),
    finished_at: instant(finished_at),
    error: error === undefined ? null : { code: error.code, message: error.message.slice(0, MAX_MESSAGE_CHARS) },
  }));
}

const byEnd = (one: EndedAttempt, other: EndedAttempt) =>
  one.finished_at - other.finished_at || (one.item ?? 0) - (other.item ?? 0) || one.number - other.number;

/** The attempts of tasks that wait for another one. */
function openAttempts({ progress }: InspectedRun, index: number): EndedAttempt[] {
  if (progress === null) return [];
  const waiting = [...progress.wakeUps.keys()].filter((task) => task.index === index);
  return waiting.flatMap((task) => {
    const item = task.item ?? repetitionOf(progress.iteration(task), progress.loop(index));
    return triesOf(progress.earlierAttempts(task)).map((one) => (item === undefined ? one : { ...one, item }));
  });
}

const repetitionOf = (iteration: number, loop: unknown) =>
  loop === undefined && iteration === 1 ? undefined : iteration - 1;

const triesOf = (outcome: Outcome | undefined): readonly EndedAttempt[] => outcome?.tries ?? [];

/** A step that is executed once, and had a single attempt. */
function wholeStep(run: InspectedRun, index: number, kept: readonly EndedAttempt[]): EndedAttempt[] {
  const { attempts, started_at, finished_at, error, status } = run.shown(index);
  if (kept.length > 0 || attempts !== 1 || started_at === null || finished_at === null || status === "canceled")
    return [];
  const times = { started_at: Date.parse(started_at), finished_at: Date.parse(finished_at) };
  return [{ number: 1, ...times, ...(error === null ? undefined : { error }) }];
}

/** Items and repetitions that had a single attempt. */
function singleAttempts(
  run: InspectedRun,
  index: number,
  { since = 0, ended = [] }: StepHistory,
  part: number | undefined,
): EndedAttempt[] {
  const found: EndedAttempt[] = [];
  const failure = failureOfPart(run, index);
  for (let from = ended.length - NUMBERS_PER_ITEM; from >= 0; from -= NUMBERS_PER_ITEM) {
    const [item = 0, offset = 0, duration = 0, attempts] = ended.slice(from, from + NUMBERS_PER_ITEM);
    if (attempts !== 1 || (part !== undefined && item !== part)) continue;
    const error = failure(item);
    const times = { started_at: since + offset, finished_at: since + offset + duration };
    found.push({ number: 1, item, ...times, ...(error === null ? undefined : { error }) });
    if (found.length === MAX_SHOWN) break;
  }
  return found;
}
