/** What memory takes for a row of a list, with its texts. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { createIds } from "../../src/ids.ts";
import { changeRow, createRowList, type RowList } from "../../src/storage/lists/trees/row-list.ts";

const ROWS = 10_000;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function heapUsed(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Rows of runs that were started a few milliseconds apart, and that have ended since. */
function fillWithRuns(list: RowList): void {
  let now = Date.UTC(2026, 0, 1);
  const ids = createIds({ now: () => now, after: () => () => undefined });
  for (let n = 0; n < ROWS; n++) {
    now += 3;
    const id = ids.next("run");
    const order = new Date(now).toISOString();
    for (const status of ["running", "succeeded"]) {
      const marks = [`status:${status}`, "version:1", "trigger:api"];
      changeRow(list, { list: "runs", put: { id, order, marks } });
    }
  }
}

describe("the row of a run", () => {
  it("takes at most 150 bytes of heap, with its ID, its order and what it is found by", () => {
    fillWithRuns(createRowList()); // Compiles the code, which takes memory, too.
    const found = [1, 2, 3].map(() => {
      const list = createRowList();
      const before = heapUsed();
      fillWithRuns(list);
      const perRow = (heapUsed() - before) / ROWS;
      expect(list.rows.size).toBe(ROWS);
      return perRow;
    });
    // What other tests of the process have left may be collected or compiled meanwhile.
    const [, perRow = 0] = found.sort((one, other) => one - other);
    expect(perRow).toBeLessThan(150);
    expect(perRow).toBeGreaterThan(50);
  });
});
