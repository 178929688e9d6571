/** The workflow files of a project. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { WORKFLOWS_FOLDER } from "./workflow-file.ts";

/** Paths `workflows/*.json` of regular files, also through links. A pipe would never end. */
export async function workflowFilesIn(cwd: string): Promise<string[]> {
  const names = await readdir(join(cwd, WORKFLOWS_FOLDER)).catch(() => []);
  const paths = names.filter((name) => name.endsWith(".json")).map((name) => `${WORKFLOWS_FOLDER}/${name}`);
  const kinds = await Promise.all(paths.map((path) => stat(join(cwd, path)).catch(() => null)));
  return paths.filter((_, index) => kinds[index]?.isFile() === true).sort();
}
