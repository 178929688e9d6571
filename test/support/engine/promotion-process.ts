/** Prints how many bytes of a run of five steps in memory survive until the garbage of the old generation is collected. */
import { getHeapSpaceStatistics } from "node:v8";
import { allRuns, close, collect } from "./five-steps.ts";

const RUNS = 2_000;

const oldGeneration = () =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => !space_name.startsWith("new_") && !space_name.startsWith("read_only"))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);

await allRuns(3_000); // Code that is not compiled yet has no lasting types of objects.
const found: number[] = [];
for (let round = 0; round < 3; round++) {
  collect();
  const before = oldGeneration();
  await allRuns(RUNS);
  found.push((oldGeneration() - before) / RUNS);
}
console.log(Math.min(...found));
await close();
