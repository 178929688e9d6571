/** Prints how many bytes a run of five steps allocates in memory. The young generation has room for all that is measured. */
import { allRuns, close, collect } from "./five-steps.ts";

const RUNS = 300;

await allRuns(3_000); // Code that is not compiled yet allocates more.
const found: number[] = [];
for (let round = 0; round < 3; round++) {
  collect();
  const before = process.memoryUsage().heapUsed;
  await allRuns(RUNS);
  found.push((process.memoryUsage().heapUsed - before) / RUNS);
}
console.log(Math.min(...found));
await close();
