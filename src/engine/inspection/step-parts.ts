/** The items of a `for_each` and the repetitions of a `loop`, one by one. Pure. */
import { type JsonValue, omitUndefined } from "../../json.ts";
import type { StepPart, StepPartStatus } from "../../runs/inspection/step-details.ts";
import { instant } from "../../time/iso.ts";
import type { ItemResults } from "../progress/for-each.ts";
import { NUMBERS_PER_ITEM } from "../progress/step-history.ts";
import { charsOf } from "../state/large-values.ts";
import type { InspectedRun } from "./inspected-run.ts";
import { lastRepetition } from "./step-view.ts";

export interface StepParts {
  readonly total: number;
  status(part: number): StepPartStatus;
  /** The part as in a list. */
  shown(part: number): StepPart;
  /** Its output; undefined if it is not stored. */
  output(part: number): JsonValue | undefined;
}

interface Ended {
  readonly started_at: number;
  readonly finished_at: number;
  readonly attempts: number;
}

type Failure = { readonly code: string; readonly message: string };

/** Returns the parts of a step; null if it is executed once. */
export function partsOf(run: InspectedRun, index: number): StepParts | null {
  const results = run.results(index);
  const isLoop = results === undefined && isRepeated(run, index);
  if (results === undefined && !isLoop) return null;
  const ended = endedParts(run, index);
  const failure = failureOfPart(run, index);
  const total = results?.counts.total ?? repetitions(run, index, ended);
  const outputs = results === undefined ? outputOfLast(run, index, total) : outputsOfItems(results);
  const step = run.shown(index);
  const isSettled = step.finished_at !== null;

  function status(part: number): StepPartStatus {
    if (failure(part) !== null) return "failed";
    if (results === undefined ? ended.has(part) : outputs.has(part)) return "succeeded";
    if (isSettled || run.progress === null) return "canceled";
    const task = run.progress.task(index, results === undefined ? null : part);
    if (task === undefined) return "pending";
    return run.progress.wakeUps.has(task) || step.status === "waiting" ? "waiting" : "running";
  }

  function shown(part: number): StepPart {
    const known = ended.get(part);
    const task = run.progress?.task(index, results === undefined ? null : part);
    const earlier = task === undefined || known !== undefined ? undefined : run.progress?.earlierAttempts(task);
    const output = outputs.get(part);
    const error = failure(part) ?? earlier?.error ?? null;
    return {
      index: part,
      status: status(part),
      started_at: known === undefined ? inText(earlier?.started_at) : instant(known.started_at),
      finished_at: inText(known?.finished_at),
      attempts: known?.attempts ?? earlier?.attempts ?? attemptsOfError(results, part),
      error: error === null ? null : { code: error.code, message: error.message },
      ...omitUndefined({ output_bytes: output === undefined ? undefined : charsOf(output) }),
    };
  }

  return { total, status, shown, output: (part) => outputs.get(part) };
}

const inText = (at: number | undefined) => (at === undefined ? null : instant(at));

function attemptsOfError(results: ItemResults | undefined, part: number): number {
  return results?.errors.find(({ index }) => index === part)?.attempts ?? 0;
}

function isRepeated(run: InspectedRun, index: number): boolean {
  if (run.history(index)?.ended !== undefined) return true;
  return run.plan?.steps[index]?.loop !== undefined && run.state(index) !== undefined;
}

/** The parts that have ended, the last time if one was repeated after a retry of the run. */
function endedParts(run: InspectedRun, index: number): ReadonlyMap<number, Ended> {
  const { since = 0, ended = [] } = run.history(index) ?? {};
  const found = new Map<number, Ended>();
  for (let from = 0; from < ended.length; from += NUMBERS_PER_ITEM) {
    const [part = 0, offset = 0, duration = 0, attempts = 0] = ended.slice(from, from + NUMBERS_PER_ITEM);
    found.set(part, { started_at: since + offset, finished_at: since + offset + duration, attempts });
  }
  return found;
}

function repetitions(run: InspectedRun, index: number, ended: ReadonlyMap<number, Ended>): number {
  const isOpen = run.progress?.task(index, null) !== undefined;
  return isOpen ? lastRepetition(run, index) + 1 : ended.size;
}

function outputsOfItems({ output, done, errors }: ItemResults): ReadonlyMap<number, JsonValue> {
  if (!Array.isArray(output)) return new Map(done);
  const failed = new Set(errors.map(({ index }) => index));
  return new Map(output.flatMap((item, index) => (failed.has(index) ? [] : [[index, item] as const])));
}

function outputOfLast(run: InspectedRun, index: number, total: number): ReadonlyMap<number, JsonValue> {
  const { status, output } = run.shown(index);
  return new Map(status === "succeeded" ? [[total - 1, output]] : []);
}

/** Returns why an item or a repetition failed, or null. */
export function failureOfPart(run: InspectedRun, index: number): (part: number) => Failure | null {
  const results = run.results(index);
  if (results !== undefined) {
    const errors = new Map(results.errors.map((error) => [error.index, error]));
    return (part) => errors.get(part) ?? null;
  }
  const { status, error } = run.shown(index);
  const last = status === "failed" ? lastRepetition(run, index) : -1;
  return (part) => (part === last ? error : null);
}
