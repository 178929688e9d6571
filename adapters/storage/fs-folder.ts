/** Makes a folder with those above it, or says why it cannot be made. */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Not with `recursive` of node:fs: where a file system takes no folders, such as /proc, it tries again without end.
 * @throws Error that names the folder
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
    // Another process may have made it a moment before.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
