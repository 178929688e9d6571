/** Brings redis-server onto a bare machine by the system's package manager. */
import { spawnSync } from "node:child_process";

/** @throws Error that tells what to do by hand when it is missing and cannot be installed */
export function installRedis(): void {
  if (works("redis-server", "--version")) return;
  const root = process.getuid?.() === 0;
  if (!works("apt-get", "--version") || !(root || works("sudo", "-n", "true"))) {
    throw new Error(
      'The tests need redis-server on the PATH: install it by hand, for example "apt-get install redis-server".',
    );
  }
  const apt = (...args: string[]) => {
    const command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", ...args];
    const [name = "", ...rest] = root ? command : ["sudo", "-n", ...command];
    return spawnSync(name, rest, { encoding: "utf8" });
  };
  const install = () => apt("install", "-y", "--no-install-recommends", "redis-server");
  let result = install();
  if (result.status !== 0) {
    apt("update");
    result = install();
  }
  if (result.status !== 0 || !works("redis-server", "--version")) {
    throw new Error(`redis-server could not be installed: ${result.stderr}`);
  }
}

function works(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}
