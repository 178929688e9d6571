/** Servers that bundlers have packed into a folder without node_modules, with the settings that they have by themselves. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BLOCKS } from "../support/examples/guides.ts";
import { sample } from "../support/sample.ts";
import { root } from "./build.ts";
import { createProject, removeProject } from "./bundlers/project.ts";
import { exerciseServer } from "./bundlers/scenario.ts";
import { RUNTIMES, start } from "./host.ts";
import { ADMIN_KEY } from "./target.ts";

const run = promisify(execFile);
const BUNDLE = fileURLToPath(new URL("bundlers/bundle.js", import.meta.url));
const PATH = `${join(root, "node_modules/.bin")}${delimiter}${process.env["PATH"]}`;

interface Bundler {
  readonly name: string;
  /** A command of the guide, which writes to `out`. Without one, `bundle.js` has the settings. */
  readonly command?: string;
  /** What starts the server, in the folder with the output. */
  readonly server: readonly string[];
  /** Whether the bundle contains the worker that reads PDF and DOCX. */
  readonly hasWorker: boolean;
}

const GUIDE = BLOCKS.filter(({ document }) => document === "examples/deployment/README.md").map(({ code }) => code);
const guideBlock = (text: string) => GUIDE.find((code) => code.includes(text)) ?? "";
const [ESBUILD = "", BUN = ""] = guideBlock("npx esbuild").split(/\n(?=bun build)/);

const BUNDLERS: readonly Bundler[] = [
  { name: "webpack", server: [...RUNTIMES.node, "main.js"], hasWorker: true },
  { name: "vite", server: [...RUNTIMES.node, "server.js"], hasWorker: true },
  { name: "esbuild", server: [...RUNTIMES.node, "server.mjs"], hasWorker: false },
  { name: "esbuild with CommonJS", server: [...RUNTIMES.node, "server.cjs"], hasWorker: false },
  { name: "esbuild with the worker", command: ESBUILD, server: [...RUNTIMES.node, "server.js"], hasWorker: true },
  {
    name: "bun build with the worker",
    command: BUN,
    server: [...RUNTIMES.bun, "--no-install", "run", "server.js"],
    hasWorker: true,
  },
];

/** One that finds the workers by itself, and one that is told to build them; the servers run in ES modules and CommonJS. */
const SAMPLE = ["webpack", "esbuild with the worker"];

let project: string;
let outputs: string;

beforeAll(async () => {
  project = await createProject(["mammoth", "unpdf"]);
  outputs = await mkdtemp(join(tmpdir(), "stepwell-bundled-"));
  await cp(join(root, "test/runtimes/bundlers/server.js"), join(project, "server.js"));
  await writeFile(join(project, "vite.config.js"), guideBlock("ssr: { noExternal"));
});
afterAll(async () => {
  await removeProject(project);
  await rm(outputs, { recursive: true, force: true });
});

async function bundle({ name, command }: Bundler): Promise<string> {
  const built = join(project, "out");
  const [program = "", ...args] = RUNTIMES.node;
  if (command === undefined) await run(program, [...args, BUNDLE, name, project, built], { cwd: project });
  else await run("sh", ["-c", command.replace("npx ", "")], { cwd: project, env: { ...process.env, PATH } });
  // Elsewhere, so that no path of the build is right by chance.
  const moved = join(outputs, name);
  await rename(built, moved);
  if (name !== "webpack") await writeFile(join(moved, "package.json"), '{ "type": "module" }');
  return moved;
}

describe("A server in a bundle", () => {
  it.each(sample(BUNDLERS, SAMPLE))("of $name runs code, takes uploads and reads documents", async (bundler) => {
    const folder = await bundle(bundler);
    const storage = join(folder, "data");
    await mkdir(storage);
    const env = { ADMIN_KEY, STORAGE: storage };
    const server = await start(bundler.server, env, (line) => line.startsWith("listening on "), folder);
    try {
      const found = await exerciseServer(server.ready.slice("listening on ".length));
      const missing = (name: string) =>
        expect.stringMatching(`npm install ${name}. In a bundle of ES modules, also build stepwell/extract/worker`);
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
        model: 'Calling models needs the package "ai": npm install ai.',
      });
    } finally {
      await server.stop("SIGKILL");
    }
  });
});
