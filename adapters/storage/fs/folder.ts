/** Creates a folder and its parents, with a clear error if that fails. */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Doesn't use `recursive` of node:fs, which retries forever on file systems that don't allow folders, such as /proc.
 * @throws Error that names the folder.
 */
export function makeFolder(path: string): void {
  try {
    makeWithParents(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The folder ${path} cannot be created: ${reason}`, { cause });
  }
}

function makeWithParents(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeWithParents(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it just now.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
