/** Builds the page of the console for tests that load it, if its sources have changed. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Where adapters/console/built-files.ts looks. */
export const BUILT = join(ROOT, "node_modules/.cache/stepwell-console");
const STAMP = join(BUILT, "sources.txt");

/** What the page may be built from: it takes from src what both sides must agree on. */
const SOURCES = ["adapters/console", "build", "src", "package-lock.json"];

export default async function setup(): Promise<void> {
  const stamp = stampOf(SOURCES.flatMap(filesIn));
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp) return;
  const program = ["--import", "./test/support/typescript/register.js", "build/pack-console.ts", BUILT];
  await promisify(execFile)(process.execPath, program, { cwd: ROOT });
  writeFileSync(STAMP, stamp);
}

function filesIn(place: string): string[] {
  if (place.endsWith(".json")) return [join(ROOT, place)];
  return readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function stampOf(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest("hex");
}
