/** A log with a line for each event: the last lines explain a failure, a digest of all lines compares simulations. */

export interface Trace {
  /** @param text Must not contain anything that differs between two simulations of a seed. */
  add(at: number, text: string): void;
  /** The last lines, oldest first. */
  last(count: number): readonly string[];
  /** The same for two simulations with the same events at the same times. */
  digest(): string;
}

/** The number of lines that are kept. */
const CAPACITY = 5_000;

/** @param print Given each line as it happens. */
export function createTrace(print?: (line: string) => void): Trace {
  const lines: string[] = [];
  let added = 0;
  let hash = 0x811c9dc5;

  return {
    add(at, text) {
      const line = `${at.toFixed(2).padStart(12)} ms  ${text}`;
      for (let index = 0; index < line.length; index++) hash = Math.imul(hash ^ line.charCodeAt(index), 0x01000193);
      lines[added++ % CAPACITY] = line;
      print?.(line);
    },
    last(count) {
      const from = Math.max(0, added - Math.min(count, CAPACITY));
      return Array.from({ length: added - from }, (_, index) => lines[(from + index) % CAPACITY] ?? "");
    },
    digest: () => `${added} events, ${(hash >>> 0).toString(16).padStart(8, "0")}`,
  };
}
