/**
 * Everything that must hold, on a machine that has Node and npm: installs what is missing, then checks style, types, the
 * built package and every promise. Stops at the first failure. Arguments go to the last step: `npm test -- test/files`.
 * Without arguments, files named `*.long.test.ts` are left to test/full.js.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
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

/** Node.js with SQLite, from npm: this one where it has it. */
function nodeWithSqlite() {
  if (process.getBuiltinModule?.("node:sqlite") !== undefined) return process.execPath;
  const folder = join(root, "node_modules", ".cache", "node22");
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const program = join(folder, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (!existsSync(program)) {
    // Not a package of the project: npm would put its program before the Node.js that runs the scripts.
    run(
      "Node.js with SQLite",
      "npm",
      "install",
      "--prefix",
      folder,
      "--no-save",
      "--no-audit",
      "--no-fund",
      `${name}@22`,
    );
  }
  return program;
}

run("Packages", "npm", "run", "--silent", "setup");
completeRuntime("bun", "install.js");
completeRuntime("deno", "install.cjs");
await Promise.all([
  runBeside(["Style and types", "check"]),
  runBeside(["The package", "build"], ["What the package offers", "check:package"]),
]);
// Starts its servers itself, and installs redis-server where it is missing: see test/support/servers/.
const chosen = process.argv.slice(2);
const isShort = chosen.length === 0 && process.env.TEST_FULL === undefined;
const config = isShort ? ["--config", "test/short.config.ts"] : [];
run("Promises", "npm", "exec", "--", "vitest", "run", ...config, ...chosen);
const node = nodeWithSqlite();
if (node !== process.execPath) {
  run("Promises of the SQLite store", node, join("node_modules", "vitest", "vitest.mjs"), "run", "--project", "sqlite");
}
