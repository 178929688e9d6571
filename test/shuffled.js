/**
 * Runs the files of the fast tests in a random order, and names its seed: `npm run test:shuffled -- [SEED] [FILE …]`.
 * The files that a worker runs share what it has loaded, so that one could change what the next ones find.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const [seed = String(randomInt(2 ** 31)), ...files] = process.argv.slice(2);

console.log(`# FILE_ORDER_SEED=${seed}`);
const env = { ...process.env, FILE_ORDER_SEED: seed };
const { status } = spawnSync("npx", ["vitest", "run", "--project", "fast", ...files], {
  cwd: root,
  stdio: "inherit",
  env,
});
console.log(`\nThe order of the files had the seed ${seed}.`);
process.exit(status ?? 1);
