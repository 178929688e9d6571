/** The client is small enough for every web page. */
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const KIBIBYTE = 1_024;
/** Bytes with gzip: of what every page loads, of the part that sends and downloads files, and of the one that reads streams. */
const MAX_ENTRY_BYTES = 9.25 * KIBIBYTE;
const MAX_FILES_BYTES = 2.75 * KIBIBYTE;
const MAX_STREAMS_BYTES = 1.5 * KIBIBYTE;

const { outputFiles, metafile } = await build({
  entryPoints: ["src/client/index.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  minify: true,
  write: false,
  metafile: true,
  format: "esm",
  target: "es2022",
  platform: "browser",
});
const sizeOf = (isMatch: (path: string) => boolean) =>
  outputFiles
    .filter(({ path }) => isMatch(path))
    .map(({ contents }) => gzipSync(contents, { level: 9 }).length)
    .reduce((sum, size) => sum + size, 0);
const isOfFiles = (path: string) => path.includes("file-functions");
const isOfStreams = (path: string) => path.includes("follow");

describe("the minified client with gzip", () => {
  it("has at most 9.25 KiB that every page loads", () => {
    expect(sizeOf((path) => !isOfFiles(path) && !isOfStreams(path))).toBeLessThanOrEqual(MAX_ENTRY_BYTES);
  });

  it("has at most 2.75 KiB for bytes of files, which the first call loads", () => {
    const size = sizeOf(isOfFiles);
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(MAX_FILES_BYTES);
  });

  it("has at most 1.5 KiB for streams of events, which the first one loads", () => {
    const size = sizeOf(isOfStreams);
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(MAX_STREAMS_BYTES);
  });

  it("contains nothing of the server and of other packages", () => {
    const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
    const others = inputs.filter((path) => !path.startsWith("src/client/"));
    expect([...new Set(others)].sort()).toEqual([
      "src/api/all-pages.ts",
      "src/encoding/json-pointer.ts",
      "src/errors.ts",
      "src/json.ts",
      "src/time/unless-aborted.ts",
    ]);
  });
});
