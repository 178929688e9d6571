/** Writes the files of a project, and leaves those that exist. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { addLines } from "./add-lines.ts";
import type { ProjectFile } from "./project-file.ts";

export interface KeptFile {
  /** Where the file is, which may be another place than that of `file`. */
  readonly path: string;
  readonly file: ProjectFile;
  /** Whether its content is another one than that of `file`. */
  readonly differs: boolean;
  /** The lines to add to it by hand; null for none. */
  readonly addition: string | null;
}

export interface WrittenFiles {
  readonly created: readonly string[];
  /** Files that kept their lines, and got those that they lacked. */
  readonly extended: readonly string[];
  readonly kept: readonly KeptFile[];
}

export async function writeFiles(
  folder: string,
  files: readonly ProjectFile[],
  isForced: boolean,
): Promise<WrittenFiles> {
  const created: string[] = [];
  const extended: string[] = [];
  const kept: KeptFile[] = [];
  for (const file of files) {
    const { text, keepsLines = false, places = [file.path] } = file;
    const path = places.find((place) => existsSync(join(folder, place))) ?? file.path;
    const target = join(folder, path);
    const exists = existsSync(target);
    const before = exists ? await readFile(target, "utf8").catch(() => null) : null;
    const after = keepsLines && before !== null ? addLines(before, text) : text;
    if (keepsLines && before !== null) {
      if (after === before) continue;
      await writeFile(target, after);
      extended.push(path);
      continue;
    }
    // A file in another language cannot be replaced with the text of this one.
    if (exists && !(isForced && path === file.path)) {
      const isMounted = before?.includes("stepwell") ?? false;
      kept.push({ path, file, differs: before !== after, addition: isMounted ? null : (file.addition ?? null) });
      continue;
    }
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, after);
    created.push(path);
  }
  return { created, extended, kept };
}
