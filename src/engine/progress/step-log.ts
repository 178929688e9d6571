/** The log of a step as stored with the run: its first lines. Pure. */

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

/** Copies the characters, because a slice would keep the whole string in memory. */
function copyOfStart(text: string, length: number): string {
  return [...text.slice(0, length)].join("");
}
