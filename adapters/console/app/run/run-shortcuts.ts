/** Keys of the page of a run. Those that move do so when a step of the waterfall has the focus. */
import type { Shortcut } from "../shortcuts/shortcut-table.ts";

export type RunAction = "next" | "previous" | "first" | "last" | "nextFailure" | "previousFailure" | "closeStep";

export const RUN_SHORTCUTS: readonly Shortcut<RunAction>[] = [
  { action: "next", keys: ["ArrowDown"], letters: [] },
  { action: "previous", keys: ["ArrowUp"], letters: [] },
  { action: "first", keys: ["Home"], letters: [] },
  { action: "last", keys: ["End"], letters: [] },
  { action: "nextFailure", keys: [], letters: ["n"] },
  { action: "previousFailure", keys: [], letters: ["p"] },
  { action: "closeStep", keys: ["Escape"], letters: [] },
];
