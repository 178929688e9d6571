/** Keeps the first log lines of a call and counts the rest. */

export interface LogLines {
  add(line: string): void;
  all(): readonly string[];
}

/** Limited, because all lines are stored with the run. */
const MAX_LOGS = { lines: 1_000, characters: 64 * 1024 };

export function createLogLines(): LogLines {
  const lines: string[] = [];
  let room = MAX_LOGS.characters;
  let more = 0;
  return {
    add(line) {
      if (room === 0 || lines.length === MAX_LOGS.lines) {
        more++;
        return;
      }
      lines.push(line.length <= room ? line : `${line.slice(0, room)}…`);
      room = Math.max(0, room - line.length);
    },
    all: () => (more === 0 ? lines : [...lines, `(${more} more ${more === 1 ? "line" : "lines"} omitted)`]),
  };
}
