/** Which kernel this process runs on: only that one knows whether another process of it lives. */
import { readFileSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";

/**
 * The same for all processes of one kernel, whatever their container says of host name and processes; different for
 * every other. On Linux it also changes with each boot.
 */
export function kernelId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ mac }) => mac));
    return [process.platform, hostname(), ...new Set(addresses.sort())].join(" ");
  }
}
