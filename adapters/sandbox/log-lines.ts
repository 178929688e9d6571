/** Decides which log lines of a call are kept: the first, and then how many more there were. */

export interface LogLines {
  add(line: string): void;
  all(): readonly string[];
}

/** More than this nobody reads, and all of it would be stored with the run. */
const MAX_LOGS = { lines: 1_000, characters: 64 * 1024 };

export function createLogLines(): LogLines {
  const kept: string[] = [];
  let room = MAX_LOGS.characters;
  let more = 0;
  return {
    add(line) {
      if (room === 0 || kept.length === MAX_LOGS.lines) {
        more++;
        return;
      }
      kept.push(line.length <= room ? line : `${line.slice(0, room)}…`);
      room = Math.max(0, room - line.length);
    },
    all: () => (more === 0 ? kept : [...kept, `(${more} more ${more === 1 ? "line" : "lines"} omitted)`]),
  };
}
