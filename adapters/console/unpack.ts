/** The files of the page, as build/pack-console.ts packs them, unpacked when they are needed. */
import type { ConsoleBuild, ConsoleFile } from "../../src/console/web-console.ts";
import { fromBase64 } from "../../src/encoding/base64.ts";
import type { PackedFile, PackedFiles } from "./built-files.ts";

export function unpack({ page, files }: PackedFiles): ConsoleBuild {
  return { page, files: new Map(Object.entries(files).map(([path, file]) => [path, unpacked(file)])) };
}

/** Decoded once: all files take half a megabyte. */
function unpacked({ type, digest, size, base64 }: PackedFile): ConsoleFile {
  return { type, digest, size, gzip: loadOnce(async () => new Uint8Array(fromBase64(await base64()))) };
}

/** Loads once. After a failure, such as of a process with too many open files, the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
