/**
 * The order in which the files of the suite run. On a machine without results of an earlier run, vitest orders the projects
 * by name and the files by size, so that a small file that takes minutes would run last and alone.
 */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONGEST } from "./longest-files.ts";

/** The project with the most and the shortest files is the last one: its files fill the workers until all have ended. */
const PROJECTS = ["package", "sqlite", "robustness", "browser", "servers", "fast"];

export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification) => {
      const file = relative(this.ctx.config.root, moduleId).replaceAll("\\", "/");
      return [PROJECTS.indexOf(project.name), LONGEST.includes(file) ? LONGEST.indexOf(file) : LONGEST.length] as const;
    };
    const places = new Map(files.map((file) => [file, place(file)]));
    const difference = (one: TestSpecification, other: TestSpecification, part: 0 | 1) =>
      (places.get(one)?.[part] ?? 0) - (places.get(other)?.[part] ?? 0);
    // Sorting is stable: all else stays as vitest orders it.
    return (await super.sort(files)).sort((one, other) => difference(one, other, 0) || difference(one, other, 1));
  }
}
