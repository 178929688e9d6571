/** Builds the package before these tests if the build is older than its sources. */
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
  // On Windows, npm is a shell script.
  await promisify(execFile)("npm", ["run", "build"], { cwd: root, shell: process.platform === "win32" });
}

function sources(): string[] {
  const folders = ["src", "adapters", "build"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(root, folder, file)),
  );
  return [
    ...folders,
    join(root, "package.json"),
    join(root, "openapi.json"),
    join(root, "tsup.config.ts"),
    join(root, "tsconfig.declarations.json"),
  ];
}

function changed(path: string): number {
  return statSync(path).mtimeMs;
}
