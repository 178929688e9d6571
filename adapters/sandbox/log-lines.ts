/** Keeps the first log lines of a call and counts the rest. */

export interface LogLines {
  add(line: string): void;
  all(): readonly string[];
}

/** Limited, because all lines are stored with the run. */
const MAX_LOGS = { lines: 1_000, characters: 64 * 1024 };

export function createLogLines(): LogLines {
  const lines: string[] = [];
  let remaining = MAX_LOGS.characters;
  let more = 0;
  return {
    add(line) {
      if (remaining === 0 || lines.length === MAX_LOGS.lines) {
        more++;
        return;
      }
      lines.push(line.length <= remaining ? line : `${wholeCharacters(line.slice(0, remaining))}…`);
      remaining = Math.max(0, remaining - line.length);
    },
    all: () => (more === 0 ? lines : [...lines, `(${more} more ${more === 1 ? "line" : "lines"} omitted)`]),
  };
}

/** Without the first half of a pair of surrogates at the end. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
