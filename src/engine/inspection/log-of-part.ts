/** What an item or a repetition has logged, of the log of its step. Pure. */
import type { LogPart, RunStep } from "../../runs/run-step.ts";

type Log = Pick<RunStep, "logs" | "log_parts">;

/** @param item Index of the item or the repetition. */
export function logOfPart({ logs = [], log_parts = [] }: Log, item: number): Log {
  const lines: string[] = [];
  const parts: LogPart[] = [];
  let from = 0;
  for (const part of log_parts) {
    const to = from + part.lines;
    if (part.item === item) {
      for (const line of logs.slice(from, to)) lines.push(line);
      parts.push(part);
    }
    from = to;
  }
  return lines.length === 0 ? {} : { logs: lines, log_parts: parts };
}
