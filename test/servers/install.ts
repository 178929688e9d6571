/** Brings programs that the tests need onto a bare machine, by the system's package manager. */
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";

export function installRedis(): void {
  install("redis-server", ["redis-server"]);
}

/** @returns Where it is. */
export function installChromium(): string {
  return install("chromium", ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]);
}

/**
 * @param names Under which it may be found on the PATH.
 * @returns Where it is.
 * @throws Error that tells what to do by hand when it is missing and cannot be installed
 */
function install(name: string, names: readonly string[]): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const places = names.flatMap((program) => folders.map((folder) => join(folder, program)));
  const find = () => places.find((place) => works(place, "--version"));
  const found = find();
  if (found !== undefined) return found;
  const root = process.getuid?.() === 0;
  if (!works("apt-get", "--version") || !(root || works("sudo", "-n", "true"))) {
    throw new Error(`The tests need ${name} on the PATH: install it by hand, for example "apt-get install ${name}".`);
  }
  const apt = (...args: string[]) => {
    const command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", ...args];
    const [program = "", ...rest] = root ? command : ["sudo", "-n", ...command];
    return spawnSync(program, rest, { encoding: "utf8" });
  };
  const tryIt = () => apt("install", "-y", "--no-install-recommends", name);
  let result = tryIt();
  if (result.status !== 0) {
    apt("update");
    result = tryIt();
  }
  const installed = find();
  if (installed === undefined) throw new Error(`${name} could not be installed: ${result.stderr}`);
  return installed;
}

function works(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}
