/** The log of a step as a run keeps it: its first lines. Pure. */

/** More than a sandbox gives of one call, so that what it says of its own limit is kept. */
const MAX_LINES = 2_000;
/** Characters of all lines together. */
const MAX_LOG_CHARS = 128 * 1024;
const TRUNCATED = "(truncated)";

export type StepLog = readonly string[];

/** More than this nobody reads, and all of it would be stored with the run: a last line says where it was cut. */
export function withLines(log: StepLog, lines: StepLog): StepLog {
  if (lines.length === 0 || log.at(-1) === TRUNCATED) return log;
  const kept = [...log];
  let room = MAX_LOG_CHARS - log.reduce((sum, line) => sum + line.length, 0);
  for (const line of lines) {
    if (kept.length === MAX_LINES || line.length > room) {
      if (kept.length < MAX_LINES && room > 0) kept.push(copyOfStart(line, room));
      kept.push(TRUNCATED);
      break;
    }
    kept.push(line);
    room -= line.length;
  }
  return kept;
}

/** A slice would keep the whole text in memory. */
function copyOfStart(text: string, length: number): string {
  return [...text.slice(0, length)].join("");
}
