/**
 * The programs that tests start and kill, bundled together: they load nearly the same files, so that all of them take
 * little longer to bundle than one. The bundles are kept until one of these files changes.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { CHILD_OPTIONS } from "./child-options.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Within the package, so that bundles find what is not bundled. */
const CACHE = join(ROOT, "node_modules/.cache/stepwell");
const KEPT = join(CACHE, "programs.json");

const PROGRAMS = [
  "brief-owner",
  "browsing",
  "cluster/member",
  "clock-jump",
  "crash-matrix/arrivals-process",
  "crash-matrix/collecting-process",
  "crash-matrix/process",
  "creator",
  "follower",
  "forms/host",
  "hanging-close-process",
  "migrator",
  "owner",
  "poison/process",
  "receiver",
  "record-writer",
  "takeover/owner",
].map((name) => join(import.meta.dirname, `${name}.ts`));

/** The bundles that are kept. */
interface Kept {
  readonly folder: string;
  /** Every file of the bundles with the time of its last change; null if it is missing. */
  readonly files: readonly (readonly [path: string, changed: number | null])[];
}

/** Prepares the bundles before the tests, in one process: each worker would make its own. */
export default async function setup(): Promise<void> {
  const before = read();
  if (before !== null && isCurrent(before)) return;
  mkdirSync(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, "programs-"));
  const { metafile } = await build({
    ...CHILD_OPTIONS,
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS.map((program) => ({ in: program, out: nameOf(program) })),
    outdir: folder,
    metafile: true,
  });
  const files = [join(import.meta.dirname, "child-options.ts"), ...Object.keys(metafile.inputs).map(inRoot)];
  const kept: Kept = { folder, files: files.map((file) => [file, changed(file)]) };
  // At once: other processes read it.
  writeFileSync(`${KEPT}.${process.pid}`, JSON.stringify(kept));
  renameSync(`${KEPT}.${process.pid}`, KEPT);
  if (before !== null) rmSync(before.folder, { recursive: true, force: true });
}

/** Sources do not change while a process of the tests runs. */
let current: Kept | null | undefined;

/** The bundle of a program, or null if there is none that is up to date. */
export function keptBundle(program: string): string | null {
  if (!PROGRAMS.includes(program)) return null;
  if (current === undefined) {
    const kept = read();
    current = kept !== null && isCurrent(kept) ? kept : null;
  }
  return current === null ? null : bundleIn(current.folder, program);
}

const bundleIn = (folder: string, program: string) => join(folder, `${nameOf(program)}.mjs`);
const nameOf = (program: string) =>
  relative(import.meta.dirname, program)
    .replace(/\.ts$/, "")
    .replaceAll(/[\\/]/g, "-");
const inRoot = (file: string) => join(ROOT, file);

function read(): Kept | null {
  try {
    return JSON.parse(readFileSync(KEPT, "utf8"));
  } catch {
    return null;
  }
}

function isCurrent({ folder, files }: Kept): boolean {
  // A program may have been added.
  const isComplete = PROGRAMS.every((program) => changed(bundleIn(folder, program)) !== null);
  return isComplete && files.every(([file, time]) => changed(file) === time);
}

function changed(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
