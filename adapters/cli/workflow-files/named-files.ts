/** The workflow files of a project by the names of their workflows, for the console of `stepwell dev`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../../src/json.ts";
import { workflowFilesIn } from "./folder-files.ts";

export interface NamedFile {
  readonly name: string;
  readonly path: string;
}

/** Files without a name are left out: `stepwell dev` does not deploy them. */
export async function namedFilesIn(cwd: string): Promise<readonly NamedFile[]> {
  const found: NamedFile[] = [];
  for (const path of await workflowFilesIn(cwd)) {
    const name = await nameIn(join(cwd, path));
    if (name !== null) found.push({ name, path });
  }
  return found;
}

async function nameIn(path: string): Promise<string | null> {
  try {
    const content: unknown = JSON.parse(await readFile(path, "utf8"));
    return isRecord(content) && typeof content["name"] === "string" && content["name"] !== "" ? content["name"] : null;
  } catch {
    return null; // the terminal says what is wrong with it
  }
}
