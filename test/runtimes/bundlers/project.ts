/** Projects in which the packed package is installed, with only what npm installs with it and packages that a test names. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../build.ts";

/**
 * @param parent Where to create the folder.
 * @returns The folder. Links to packages lead out of it, but not the package itself.
 */
export async function createProject(packages: readonly string[], parent: string = tmpdir()): Promise<string> {
  await mkdir(parent, { recursive: true });
  const project = await mkdtemp(join(parent, "stepwell-bundlers-"));
  const installed = join(project, "node_modules/stepwell");
  const packed = ["dist", "package.json", "openapi.json"];
  await Promise.all(packed.map((name) => cp(join(root, name), join(installed, name), { recursive: true })));
  const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  for (const name of [...Object.keys(dependencies), ...packages]) {
    const place = join(project, "node_modules", name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(root, "node_modules", name), place);
  }
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  return project;
}

export const removeProject = (project: string) => rm(project, { recursive: true, force: true });
