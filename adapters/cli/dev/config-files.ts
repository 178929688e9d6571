/** Finds the config of a project. */
import { access } from "node:fs/promises";
import { join } from "node:path";

export const CONFIG_FILES = ["stepwell.config.ts", "stepwell.config.mjs", "stepwell.config.js"] as const;

export async function findConfig(folder: string): Promise<string | null> {
  for (const name of CONFIG_FILES) {
    const isThere = await access(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (isThere) return name;
  }
  return null;
}
