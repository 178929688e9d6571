/** Lets other work go first while rows with thousands of cells are processed. */
import type { Clock } from "../../ports/clock.ts";
import { inNextTurn } from "../../time/system-clock.ts";

/** Cells that are processed in one turn of the event loop: about 20 ms. */
const CELLS_PER_TURN = 20_000;

export interface CellBudget {
  /** Number of rows to process at once. */
  rowsAtOnce(cellsPerRow: number): number;
  /** Call this after processing cells or fields. A returned promise resolves in a later turn of the event loop. */
  spend(cells: number): Promise<void> | undefined;
}

export function createCellBudget(clock: Clock): CellBudget {
  let spent = 0;
  return {
    rowsAtOnce: (cellsPerRow) => Math.max(1, Math.floor(CELLS_PER_TURN / Math.max(1, cellsPerRow))),
    spend(cells) {
      spent += cells;
      if (spent < CELLS_PER_TURN) return undefined;
      spent = 0;
      return new Promise((resolve) => inNextTurn(clock, resolve));
    },
  };
}
