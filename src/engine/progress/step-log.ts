/** The log of a step as stored with the run: its first lines, and which attempt wrote them. Pure. */
import { omitUndefined } from "../../json.ts";
import type { LogPart } from "../../runs/run-step.ts";

/** Higher than the sandbox's limit per call, so that its own truncation message is kept. */
const MAX_LINES = 2_000;
/** Maximum total length of all lines, in characters. */
const MAX_LOG_CHARS = 128 * 1024;
const TRUNCATED = "(truncated)";

export type StepLog = readonly string[];

/** Appends lines up to the limits, because all of them are stored with the run. A last line marks the truncation. */
export function withLines(log: StepLog, lines: StepLog): StepLog {
  if (lines.length === 0 || log.at(-1) === TRUNCATED) return log;
  const result = [...log];
  let remaining = MAX_LOG_CHARS - log.reduce((sum, line) => sum + line.length, 0);
  for (const line of lines) {
    if (result.length === MAX_LINES || line.length > remaining) {
      if (result.length < MAX_LINES && remaining > 0) result.push(copyOfStart(line, remaining));
      result.push(TRUNCATED);
      break;
    }
    result.push(line);
    remaining -= line.length;
  }
  return result;
}

/** Those of the lines that {@link withLines} would append. */
export const linesThatFit = (log: StepLog, lines: StepLog): StepLog => withLines(log, lines).slice(log.length);

/** Lines of an attempt after those of others. Joins the last part if the same attempt wrote it. */
export function withPart(parts: readonly LogPart[], part: LogPart): readonly LogPart[] {
  const last = parts.at(-1);
  if (part.lines === 0) return parts;
  if (last === undefined || last.attempt !== part.attempt || last.item !== part.item) return [...parts, part];
  return [...parts.slice(0, -1), { ...last, lines: last.lines + part.lines }];
}

/** The log of a task, and who wrote it. */
export interface TaskLog {
  /** Number of attempts. */
  readonly attempts: number;
  readonly logs?: StepLog | undefined;
  /** Absent if the last attempt wrote all lines. */
  readonly log_parts?: readonly LogPart[] | undefined;
}

export const partsOf = ({ attempts, logs = [], log_parts }: TaskLog): readonly LogPart[] =>
  log_parts ?? withPart([], { lines: logs.length, attempt: attempts });

/** Appends the parts of a task. @param item Index of the item or the repetition that the task is. */
export function withTaskParts(
  before: readonly LogPart[] | undefined,
  task: TaskLog,
  item: number | undefined,
): readonly LogPart[] | undefined {
  if (task.logs === undefined) return before;
  const own = partsOf(task).map((part) => omitUndefined({ ...part, item: part.item ?? item }));
  return own.reduce(withPart, before ?? []);
}

/** The parts as callers see them: of the lines that are stored, and only if they say more than that one attempt wrote all. */
export function shownParts(logs: StepLog, parts: readonly LogPart[] = []): LogPart[] | undefined {
  let left = logs.length;
  const shown: LogPart[] = [];
  for (const part of parts) {
    const lines = Math.min(part.lines, left);
    if (lines > 0) shown.push({ ...part, lines });
    left -= lines;
  }
  const [only, ...others] = shown;
  return only === undefined || (others.length === 0 && only.attempt === 1 && only.item === undefined)
    ? undefined
    : shown;
}

/** Copies the characters, because a slice would keep the whole string in memory. */
function copyOfStart(text: string, length: number): string {
  return [...text.slice(0, length)].join("");
}
