/** Child processes for the tests: bundles a TypeScript file, runs it on any of the runtimes, and kills it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";

export type Runtime = "node" | "bun" | "deno";

export interface Child {
  readonly pid: number | undefined;
  /** Every line that it has printed. */
  readonly lines: readonly string[];
  /** Waits for a line. */
  line(wanted: (line: string) => boolean): Promise<void>;
  /** Sends SIGKILL; settles when the process has ended and all its output is read. */
  kill(): Promise<void>;
  /** Settles when the process has ended for any reason and all its output is read. */
  readonly gone: Promise<Ending>;
}

export interface Ending {
  /** Null for a process that was killed. */
  readonly code: number | null;
  /** What it wrote to its error output. */
  readonly errors: string;
}

const PACKAGES = join(import.meta.dirname, "../../node_modules");
const bundles = new Map<string, Promise<string>>();

export async function startChild(
  entry: string,
  args: readonly string[],
  runtime: Runtime = "node",
  /** A command that runs the command that follows, such as `unshare`. */
  within: readonly string[] = [],
): Promise<Child> {
  let bundle = bundles.get(entry);
  if (bundle === undefined) {
    bundle = bundleOf(entry);
    bundles.set(entry, bundle);
  }
  const [command = "", ...before] = [...within, ...commandOf(runtime)];
  const child = spawn(command, [...before, await bundle, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  const reader = createInterface(child.stdout);
  reader.on("line", (line) => lines.push(line));
  const gone = Promise.all([once(child, "exit"), once(reader, "close")]);
  return {
    pid: child.pid,
    lines,
    async line(wanted) {
      while (!lines.some(wanted)) {
        await Promise.race([once(reader, "line"), gone]);
        if ((child.exitCode ?? child.signalCode) !== null && !lines.some(wanted))
          throw new Error(`The child ended early:\n${errors}`);
      }
    },
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
    gone: gone.then(() => ({ code: child.exitCode, errors })),
  };
}

function commandOf(runtime: Runtime): readonly [string, ...string[]] {
  const binary = join(PACKAGES, ".bin", runtime);
  if (runtime === "node") return [process.execPath];
  return runtime === "bun" ? [binary] : [binary, "run", "-A"];
}

/** Bundles a TypeScript file with what it imports, so that a process starts quickly. */
export async function bundleOf(entry: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "stepwell-child-"));
  await symlink(PACKAGES, join(folder, "node_modules"), "dir");
  await build({
    entryPoints: { child: entry },
    bundle: true,
    format: "esm",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    // Few children use these, so that they are neither bundled nor read at each start.
    external: ["ioredis", "mammoth", "pg", "playwright-core", "unpdf"],
    splitting: true,
    // Bundled CommonJS loads Node's modules with `require`, which ES modules do not have.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    platform: "node",
    target: "es2022",
    logLevel: "error",
  });
  return join(folder, "child.mjs");
}
