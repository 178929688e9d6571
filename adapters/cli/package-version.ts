/** The version of the package that contains this file. */
import { readFile } from "node:fs/promises";
import { isRecord } from "../../src/json.ts";

/** From `dist/cli/`, and from `adapters/cli/` in a clone, the package is two folders up. */
export async function readVersion(): Promise<string> {
  for (const place of ["../../package.json", "../package.json"]) {
    try {
      const found: unknown = JSON.parse(await readFile(new URL(place, import.meta.url), "utf8"));
      if (isRecord(found) && found["name"] === "stepwell") return String(found["version"]);
    } catch {
      // tsup puts shared code one folder above that of the program
    }
  }
  return "unknown";
}
