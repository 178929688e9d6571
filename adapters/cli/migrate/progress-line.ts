/** Shows how far a migration is, on one line of a terminal. */
import type { MigrationProgress } from "../../../src/index.ts";
import { isTerminal, type Shell } from "../terminal/shell.ts";

const TITLES: Readonly<Record<MigrationProgress["phase"], string>> = {
  reading: "Reading the source",
  documents: "Copying documents",
  rows: "Copying lists",
  checking: "Comparing both",
};

/** Where the line starts again, and what is behind its end is erased. */
const START_OF_LINE = "\r\x1b[K";

export interface ProgressLine {
  show(progress: MigrationProgress): void;
  /** Removes the line. */
  clear(): void;
}

export function createProgressLine({ messages }: Shell): ProgressLine {
  const isShown = isTerminal(messages);
  let last = "";
  return {
    show(progress) {
      const line = lineOf(progress);
      if (!isShown || line === last) return;
      last = line;
      messages.write(`${START_OF_LINE}${line}`);
    },
    clear() {
      if (isShown && last !== "") messages.write(START_OF_LINE);
    },
  };
}

function lineOf({ phase, done, total, bytes }: MigrationProgress): string {
  const items = total === undefined ? `${done} items` : `${done} of ${total} (${percent(done, total)}%)`;
  return `${TITLES[phase]}: ${items}${bytes === 0 ? "" : `, ${sizeOf(bytes)} of files`}`;
}

const percent = (done: number, total: number) => (total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total)));

export function sizeOf(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length - 1, bytes === 0 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}
