/** Finds the config of a project. `load-config.ts` loads it. */
import { access } from "node:fs/promises";
import { join } from "node:path";

export const CONFIG_FILES = ["stepwell.config.ts", "stepwell.config.mjs", "stepwell.config.js"] as const;

/** A config that awaits something that never happens would otherwise be waited for without a word. */
export const CONFIG_LIMIT_MS = 30_000;

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
