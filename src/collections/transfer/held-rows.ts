/**
 * The rows of a CSV export that stay in memory after the pass that finds the columns, so that they are not read again. All
 * exports of a process share a limit.
 */
import { MEBIBYTE } from "../../encoding/bytes.ts";

const MAX_CHARS_PER_EXPORT = 8 * MEBIBYTE;
const MAX_CHARS = 32 * MEBIBYTE;

export interface HeldRows {
  /** Returns false if the rows do not fit. */
  hold(rows: string[][]): boolean;
  /** Releases and yields what was held, in order. */
  take(): Generator<string[][], void>;
  /** Releases the rest. Can be repeated. */
  discard(): void;
}

/** @returns A function that opens an export. */
export function createHeldRows(limits = { perExport: MAX_CHARS_PER_EXPORT, inAll: MAX_CHARS }): () => HeldRows {
  let charsInAll = 0;

  return () => {
    /** As JSON, which takes much less memory than the cells. */
    let held: string[] = [];
    let chars = 0;

    function count(added: number): void {
      chars += added;
      charsInAll += added;
    }

    return {
      hold(rows) {
        const text = JSON.stringify(rows);
        if (chars + text.length > limits.perExport || charsInAll + text.length > limits.inAll) return false;
        held.push(text);
        count(text.length);
        return true;
      },

      *take() {
        for (let text = held.shift(); text !== undefined; text = held.shift()) {
          count(-text.length);
          const rows: string[][] = JSON.parse(text);
          yield rows;
        }
      },

      discard() {
        held = [];
        count(-chars);
      },
    };
  };
}
