/** Decides which flags of the process a worker thread inherits. */
import process from "node:process";
import type { WorkerOptions } from "node:worker_threads";

/**
 * A thread inherits its process's flags, but `--input-type` prevents it from loading a file. Single flags cannot be
 * removed: V8 flags are inherited implicitly and rejected if they are listed.
 */
export function inheritedFlags(): Pick<WorkerOptions, "execArgv"> {
  return process.execArgv.some((flag) => flag.startsWith("--input-type")) ? { execArgv: [] } : {};
}
