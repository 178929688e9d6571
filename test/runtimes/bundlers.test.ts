/** Servers that bundlers have packed into a folder without node_modules, with the settings that they have by themselves. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./build.ts";
import { createProject, removeProject } from "./bundlers/project.ts";
import { exerciseServer } from "./bundlers/scenario.ts";
import { RUNTIMES, start } from "./host.ts";
import { ADMIN_KEY } from "./target.ts";

const run = promisify(execFile);
const BUNDLE = fileURLToPath(new URL("bundlers/bundle.js", import.meta.url));
const WORKER = "node_modules/stepwell/dist/extract/stepwell-extract-worker.js";
const bun = ["--no-install", "run"];

interface Bundler {
  readonly name: string;
  /** Without one, `bundle.js` has it. @returns Arguments for Bun. */
  bun?(output: string): readonly string[];
  /** What starts the server, in the folder with the output. */
  readonly command: readonly string[];
  /** Whether the bundle contains the worker that reads PDF and DOCX. */
  readonly hasWorker: boolean;
}

const BUNDLERS: readonly Bundler[] = [
  { name: "webpack", command: [...RUNTIMES.node, "main.js"], hasWorker: true },
  { name: "vite", command: [...RUNTIMES.node, "server.js"], hasWorker: true },
  { name: "esbuild", command: [...RUNTIMES.node, "server.mjs"], hasWorker: false },
  { name: "esbuild with CommonJS", command: [...RUNTIMES.node, "server.cjs"], hasWorker: false },
  { name: "esbuild with the worker", command: [...RUNTIMES.node, "server.js"], hasWorker: true },
  {
    name: "bun build with the worker",
    bun: (output) => [
      "build",
      "server.js",
      WORKER,
      "--target=bun",
      "--entry-naming=[name].[ext]",
      `--outdir=${output}`,
    ],
    command: [...RUNTIMES.bun, ...bun, "server.js"],
    hasWorker: true,
  },
];

let project: string;
let outputs: string;

beforeAll(async () => {
  project = await createProject(["mammoth", "unpdf"]);
  outputs = await mkdtemp(join(tmpdir(), "stepwell-bundled-"));
  await cp(join(root, "test/runtimes/bundlers/server.js"), join(project, "server.js"));
});
afterAll(async () => {
  await removeProject(project);
  await rm(outputs, { recursive: true, force: true });
});

async function bundle({ name, bun: bunArguments }: Bundler): Promise<string> {
  const built = await mkdtemp(join(outputs, "built-"));
  const [command = "", ...args] =
    bunArguments === undefined
      ? [...RUNTIMES.node, BUNDLE, name, project, built]
      : [...RUNTIMES.bun, ...bunArguments(built)];
  await run(command, args, { cwd: project });
  // Elsewhere, so that no path of the build is right by chance.
  const moved = built.replace("built-", "moved-");
  await rename(built, moved);
  if (!name.includes("webpack")) await writeFile(join(moved, "package.json"), '{ "type": "module" }');
  return moved;
}

describe("A server in a bundle", () => {
  it.each(BUNDLERS)("of $name runs code, takes uploads and reads documents", async (bundler) => {
    const folder = await bundle(bundler);
    const storage = join(folder, "data");
    await mkdir(storage);
    const env = { ADMIN_KEY, STORAGE: storage };
    const server = await start(bundler.command, env, (line) => line.startsWith("listening on "), folder);
    try {
      const found = await exerciseServer(server.ready.slice("listening on ".length));
      const missing = (name: string) =>
        expect.stringMatching(`npm install ${name}. In a bundle, also build stepwell/extract/worker`);
      expect(found).toEqual({
        status: "succeeded",
        output: 24,
        logs: ["/path"],
        taken: "succeeded",
        schedule: 201,
        csv: "name,total\nAnn,12\n",
        html: "Some words.",
        sheet: expect.stringContaining("Ann and Co"),
        pdf: bundler.hasWorker ? expect.stringContaining("The story") : missing("unpdf"),
        word: bundler.hasWorker ? expect.stringContaining("# The story") : missing("mammoth"),
        openapi: 200,
        model: 'Model steps need the package "ai": npm install ai.',
      });
    } finally {
      await server.stop("SIGKILL");
    }
  });
});
