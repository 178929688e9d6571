/** Prints how many bytes of heap the row of a run takes, with its ID, its order and what it is found by. */
import { createIds } from "../../../src/ids.ts";
import { changeRow, createRowList, type RowList } from "../../../src/storage/lists/trees/row-list.ts";

const ROWS = 10_000;

function heapUsed(): number {
  if (globalThis.gc === undefined) throw new Error("Start this with --expose-gc.");
  globalThis.gc();
  globalThis.gc();
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

const lists = [createRowList(), createRowList()];
const found = lists.map((list) => {
  const before = heapUsed();
  fillWithRuns(list);
  return (heapUsed() - before) / list.rows.size;
});
console.log(found.at(-1)); // the first one has compiled the code, which takes memory, too
