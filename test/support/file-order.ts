/**
 * The order in which the files of the suite run. On a machine without results of an earlier run, vitest orders the projects
 * by name and the files by size, so that a small file that takes minutes would run last and alone.
 */
import { createHash } from "node:crypto";
import { relative } from "node:path";
import process from "node:process";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONGEST } from "./longest-files.ts";

/** The project with the most and the shortest files is the last one: its files fill the workers until all have ended. */
const PROJECTS = ["package", "sqlite", "robustness", "browser", "servers", "fast"];

/** Set by test/shuffled.js. */
const SEED = process.env["FILE_ORDER_SEED"];

export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const pathOf = ({ moduleId }: TestSpecification) => relative(this.ctx.config.root, moduleId).replaceAll("\\", "/");
    if (SEED !== undefined) return shuffled(files, (file) => `${SEED} ${pathOf(file)}`);
    const place = (specification: TestSpecification) => {
      const file = pathOf(specification);
      return [
        PROJECTS.indexOf(specification.project.name),
        LONGEST.includes(file) ? LONGEST.indexOf(file) : LONGEST.length,
      ] as const;
    };
    const places = new Map(files.map((file) => [file, place(file)]));
    const difference = (one: TestSpecification, other: TestSpecification, part: 0 | 1) =>
      (places.get(one)?.[part] ?? 0) - (places.get(other)?.[part] ?? 0);
    // Sorting is stable: all else stays as vitest orders it.
    return (await super.sort(files)).sort((one, other) => difference(one, other, 0) || difference(one, other, 1));
  }
}

/** The same order for the same names. */
function shuffled(files: readonly TestSpecification[], nameOf: (file: TestSpecification) => string) {
  const digestOf = (file: TestSpecification) => createHash("sha256").update(nameOf(file)).digest("hex");
  const named = files.map((file) => ({ file, digest: digestOf(file) }));
  return named.sort((one, other) => (one.digest < other.digest ? -1 : 1)).map(({ file }) => file);
}
