/** Ids that read well in a trace: by whom they were made, and as the how-many-th. */
import type { Ids } from "../../src/ports/ids.ts";
import type { Random } from "./random.ts";

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";
/** Characters behind the prefix of an id. */
const LENGTH = 26;
const PROCESS_LENGTH = 4;

/** @param maker Small letters and digits, another one for each process, growing with the order of their starts. */
export function createSimulatedIds(maker: string, random: Random): Ids {
  let made = 0;
  return {
    next: (prefix) =>
      `${prefix}_${maker.padEnd(PROCESS_LENGTH, "x")}${String(++made).padStart(LENGTH - PROCESS_LENGTH, "0")}`,
    random: (length) => Array.from({ length }, () => random.pick([...LETTERS])).join(""),
  };
}
