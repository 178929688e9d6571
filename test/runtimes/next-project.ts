/** A copy of the Next.js example as a user installs it, with the routes that the tests need. */
import { cp, mkdir, mkdtemp, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "./build.ts";
import { RUNTIMES, type Started, start } from "./host.ts";

/**
 * Packages outside the project are found through links only if they are below the root of Turbopack. Writing its cache
 * would take a third of the build.
 */
const CONFIG = `import config from "./example.config.js";
const experimental = { turbopackFileSystemCacheForBuild: false, turbopackFileSystemCacheForDev: false };
export default { ...config, turbopack: { root: "/" }, experimental };
`;

export async function createNextProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), "stepwell-next-"));
  await cp(join(root, "examples/hosts/next"), project, { recursive: true, filter: isSource });
  await cp(join(root, "test/runtimes/next-app"), project, { recursive: true });
  await cp(join(root, "test/runtimes/hosts/service.js"), join(project, "service.js"));
  await rename(join(project, "next.config.js"), join(project, "example.config.js"));
  await writeFile(join(project, "next.config.js"), CONFIG);
  await installStepwell(join(project, "node_modules"));
  return project;
}

/** Without what Next.js and the example have written there. */
const isSource = (path: string) => !/\/(\.next|\.stepwell|node_modules)(\/|$)/.test(path.slice(root.length));

/** Stepwell is copied, because Next.js bundles packages outside of node_modules. */
async function installStepwell(modules: string): Promise<void> {
  const installed = join(modules, "stepwell");
  await mkdir(installed, { recursive: true });
  const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  await cp(join(root, "package.json"), join(installed, "package.json"));
  await cp(join(root, "dist"), join(installed, "dist"), { recursive: true, filter: (path) => !path.endsWith(".map") });
  for (const name of ["next", "react", "react-dom", ...Object.keys(dependencies)]) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, "node_modules", name), join(modules, name));
  }
}

/** Starts `next build`, `next start` or `next dev`, and waits for a line of its output. */
export function startNext(
  project: string,
  command: "build" | "start" | "dev",
  env: Readonly<Record<string, string>>,
  isReady: (line: string) => boolean,
): Promise<Started> {
  const program = join(root, "node_modules/next/dist/bin/next");
  const all = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: command === "dev" ? "development" : "production", ...env };
  return start([...RUNTIMES.node, program, command], all, isReady, project);
}
