/** Ids that are readable in a trace: the process that created them, and a number. */
import type { Ids } from "../../src/ports/ids.ts";
import type { Random } from "./random.ts";

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";
/** Characters after the prefix of an id. */
const LENGTH = 26;
const PROCESS_LENGTH = 4;

/** @param maker Lower-case letters and digits, unique for each process and sorted by start. */
export function createSimulatedIds(maker: string, random: Random): Ids {
  let made = 0;
  return {
    next: (prefix) =>
      `${prefix}_${maker.padEnd(PROCESS_LENGTH, "x")}${String(++made).padStart(LENGTH - PROCESS_LENGTH, "0")}`,
    random: (length) => Array.from({ length }, () => random.pick([...LETTERS])).join(""),
  };
}
