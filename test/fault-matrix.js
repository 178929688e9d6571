/** Runs the tests that fail single calls of the storage, for every call in place of some: `npm run fault-matrix -- [FILE …]`. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const given = process.argv.slice(2);

function tests() {
  const all = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
  const names = all.filter((name) => name.endsWith(".test.ts")).map((name) => join("test", name));
  return names.filter((name) => readFileSync(join(root, name), "utf8").includes("callsToFail("));
}

const env = { ...process.env, FAULT_MATRIX: "every call" };
const files = given.length > 0 ? given : tests();
const { status } = spawnSync("npx", ["vitest", "run", ...files], { cwd: root, stdio: "inherit", env });
process.exit(status ?? 1);
