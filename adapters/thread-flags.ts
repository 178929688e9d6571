/** With which flags of its process a worker thread starts. */
import process from "node:process";
import type { WorkerOptions } from "node:worker_threads";

/**
 * A thread starts with the flags of its process, of which it takes no file with `--input-type`. Flags cannot be left out
 * one by one: those of V8 are inherited, and refused when they are named.
 */
export function inheritedFlags(): Pick<WorkerOptions, "execArgv"> {
  return process.execArgv.some((flag) => flag.startsWith("--input-type")) ? { execArgv: [] } : {};
}
