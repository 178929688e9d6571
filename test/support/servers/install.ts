/** Installs programs that the tests need with the system's package manager. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

export function installRedis(): void {
  install("redis-server", ["redis-server"]);
}

/** @returns The folder with `initdb`, `postgres` and `pg_ctl`. */
export function installPostgres(): string {
  return dirname(install("postgresql", ["initdb"]));
}

/** @returns The path of the program that copies a running server. */
export function installBaseBackup(): string {
  return install("postgresql", ["pg_basebackup"]);
}

/** @returns The path of the program. */
export function installChromium(): string {
  return install("chromium", ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]);
}

/** @returns The path of the program, or undefined if the system and its package manager lack it. */
export function installHeadlessShell(): string | undefined {
  const name = "chromium-headless-shell";
  const found = find([name]);
  if (found !== undefined || !canInstall()) return found;
  installPackage(name);
  return find([name]);
}

/**
 * @param names Its possible names on the PATH.
 * @returns The path of the program.
 * @throws Error that says how to install it by hand if it is missing and cannot be installed
 */
function install(name: string, names: readonly string[]): string {
  const found = find(names);
  if (found !== undefined) return found;
  if (!canInstall()) {
    throw new Error(`The tests need ${name} on the PATH: install it by hand, for example "apt-get install ${name}".`);
  }
  let result = installPackage(name);
  if (result.status !== 0) {
    apt("update");
    result = installPackage(name);
  }
  const installed = find(names);
  if (installed === undefined) throw new Error(`${name} could not be installed: ${result.stderr}`);
  return installed;
}

function find(names: readonly string[]): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...postgresFolders()];
  const places = names.flatMap((program) => folders.map((folder) => join(folder, program)));
  return places.find((place) => works(place, "--version"));
}

/** Debian keeps the programs of each version of PostgreSQL in a folder of its own, off the PATH. Newest first. */
function postgresFolders(): readonly string[] {
  const root = "/usr/lib/postgresql";
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((one, other) => Number(other) - Number(one));
  return versions.map((version) => join(root, version, "bin"));
}

function canInstall(): boolean {
  return works("apt-get", "--version") && (isRoot() || works("sudo", "-n", "true"));
}

function installPackage(name: string) {
  return apt("install", "-y", "--no-install-recommends", name);
}

function apt(...args: string[]) {
  const command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", ...args];
  const [program = "", ...rest] = isRoot() ? command : ["sudo", "-n", ...command];
  return spawnSync(program, rest, { encoding: "utf8" });
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function works(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}
