/** Builds the package before these tests, when what is built is older than what it is built of. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Written last. */
const BUILT = join(root, "dist/index.d.ts");

export default async function setup(): Promise<void> {
  if (existsSync(BUILT) && changed(BUILT) >= Math.max(...sources().map(changed))) return;
  await promisify(execFile)(process.execPath, [join(root, "node_modules/tsup/dist/cli-default.js")], { cwd: root });
}

function sources(): string[] {
  const folders = ["src", "adapters"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(root, folder, file)),
  );
  return [...folders, join(root, "package.json"), join(root, "tsup.config.ts")];
}

function changed(path: string): number {
  return statSync(path).mtimeMs;
}
