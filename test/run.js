/**
 * Everything that must hold, on a machine that has Node and npm: installs what is missing, then checks style, types, the
 * built package and every promise. Stops at the first failure. Arguments go to the last step: `npm test -- test/files`.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

function run(title, command, ...args) {
  console.log(`\n# ${title}\n$ ${[command, ...args].join(" ")}`);
  // On Windows npm and npx are scripts of the shell.
  const shell = process.platform === "win32" && command !== process.execPath;
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", shell });
  if (status === 0) return;
  console.error(`\n${title}: failed${error === undefined ? "" : ` (${error.message})`}.`);
  process.exit(status ?? 1);
}

/** Runs scripts of the package one after the other, in parallel to others, and prints the output of each when it has ended. */
async function runBeside(...scripts) {
  for (const [title, script] of scripts) {
    const shell = process.platform === "win32";
    // What is packed was built by the script before: packing must not build it again.
    const env = { ...process.env, npm_config_ignore_scripts: "true" };
    const child = spawn("npm", ["run", "--silent", script], {
      cwd: root,
      env,
      shell,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => printed.push(piece));
    const [status] = await once(child, "close");
    console.log(`\n# ${title}\n$ npm run ${script}\n${Buffer.concat(printed)}`);
    if (status === 0) continue;
    console.error(`${title}: failed.`);
    process.exit(status ?? 1);
  }
}

/** Where npm does not run the scripts of packages, the runtimes still have to fetch their programs. */
function completeRuntime(name, installer) {
  const binary = join(root, "node_modules", ".bin", name);
  const works = () =>
    spawnSync(binary, ["--version"], { stdio: "ignore", shell: process.platform === "win32" }).status === 0;
  if (!works()) run(`${name}, one of the runtimes`, process.execPath, join("node_modules", name, installer));
}

run("Packages", "npm", "run", "--silent", "setup");
completeRuntime("bun", "install.js");
completeRuntime("deno", "install.cjs");
await Promise.all([
  runBeside(["Style and types", "check"]),
  runBeside(["The package", "build"], ["What the package offers", "check:package"]),
]);
// Starts its servers itself, and installs redis-server where it is missing: see test/support/servers/.
run("Promises", "npm", "exec", "--", "vitest", "run", ...process.argv.slice(2));
