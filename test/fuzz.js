/**
 * Runs the property-based tests again and again with all their rounds, each time with a seed of its own, and names the
 * seed of a failure:
 * `npm run fuzz -- [ROUNDS] [FILE …]`.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const [rounds = "5", ...given] = process.argv.slice(2);
const files = given.length > 0 ? given : propertyTests();

function propertyTests() {
  const all = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
  const tests = all.filter((name) => name.endsWith(".test.ts")).map((name) => join("test", name));
  return tests.filter((name) => readFileSync(join(root, name), "utf8").includes('from "fast-check"'));
}

const failed = [];
for (let round = 1; round <= Number(rounds); round++) {
  const seed = String(randomInt(2 ** 31));
  console.log(`\n# Round ${round} of ${rounds}: FUZZ_SEED=${seed}`);
  const env = { ...process.env, FUZZ_SEED: seed, TEST_FULL: "every case" };
  const { status } = spawnSync("npx", ["vitest", "run", ...files], { cwd: root, stdio: "inherit", env });
  if (status !== 0) failed.push(seed);
}
console.log(failed.length === 0 ? "\nNo round failed." : `\nFailed with FUZZ_SEED: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
