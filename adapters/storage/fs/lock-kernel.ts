/** Identifies the kernel that this process runs on. Only the same kernel knows whether another process is alive. */
import { readFileSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";

/**
 * The same for all processes of one kernel, even if containers have different host names and process IDs. Different for
 * every other kernel. On Linux, it also changes on each boot.
 */
export function kernelId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ mac }) => mac));
    return [process.platform, hostname(), ...new Set(addresses.sort())].join(" ");
  }
}
