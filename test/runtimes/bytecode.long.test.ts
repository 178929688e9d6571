/** The condition `stepwell-bytecode`: what V8 compiled is kept for the next process. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { root } from "./build.ts";
import { RUNTIMES } from "./host.ts";

let project: string;
let folder: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "stepwell-bytecode-"));
  const installed = join(project, "node_modules/stepwell");
  folder = join(installed, "dist/bytecode");
  await mkdir(installed, { recursive: true });
  await cp(join(root, "dist"), join(installed, "dist"), { recursive: true, filter: (path) => !isBytecode(path) });
  await cp(join(root, "package.json"), join(installed, "package.json"));
  await symlink(join(root, "node_modules"), join(installed, "node_modules"));
});
afterEach(() => rm(project, { recursive: true }));

const isBytecode = (path: string) => /\.cjs\../.test(path);
const bytecodeFiles = async () => (await readdir(folder)).filter(isBytecode);

/** A run whose code throws, in a sandbox of another module: it knows the error only if that module exists once. */
async function runFailing(): Promise<string> {
  const script = `
    import { createStepwell } from "stepwell";
    import memoryDriver from "stepwell/storage/memory";
    import { createQuickjsSandbox } from "stepwell/sandbox/quickjs";
    const storage = { entities: memoryDriver(), blobs: memoryDriver() };
    const stepwell = createStepwell({ storage, sandbox: createQuickjsSandbox({ threads: 1 }) });
    const app = await stepwell.apps.create({ name: "First" });
    const steps = [
      { type: "input", key: "start", input: {}, destinations: ["judge"] },
      { type: "branch", key: "judge", conditions: { all: { order: 1, condition: "1 < 2", destinations: ["fail"] } } },
      { type: "code", key: "fail", code: "throw new Error('as intended')" },
    ];
    const { id: workflow } = await stepwell.workflows.create(app.id, { name: "First", steps });
    await stepwell.workflows.deploy(app.id, workflow);
    const { id } = await stepwell.runs.create(app.id, workflow, { input: {} });
    console.log((await stepwell.runs.wait(app.id, id)).error.code);
    await stepwell.close();`;
  const args = ["--conditions=stepwell-bytecode", "--no-warnings", "--input-type=module", "--eval", script];
  return (await promisify(execFile)(RUNTIMES.node[0], args, { cwd: project })).stdout.trim();
}

it("keeps bytecode in the package, and uses what it finds", async () => {
  expect(await runFailing()).toBe("code_failed");
  const [file = "", ...others] = await bytecodeFiles();
  expect(others).toEqual([]);
  // Node.js 20.20.2 accepts the bytecode of 20.19.6, and crashes.
  expect(file).toContain(process.version);
  const { ino } = await stat(join(folder, file));
  expect(await runFailing()).toBe("code_failed");
  expect((await stat(join(folder, file))).ino).toBe(ino);
});

it("replaces bytecode that V8 refuses", async () => {
  await runFailing();
  const [file = ""] = await bytecodeFiles();
  await writeFile(join(folder, file), "of another version");
  expect(await runFailing()).toBe("code_failed");
  expect(await bytecodeFiles()).toEqual([file]);
  expect((await readFile(join(folder, file))).length).toBeGreaterThan(100_000);
});

it("replaces bytecode that is damaged, which V8 would run", async () => {
  await runFailing();
  const [file = ""] = await bytecodeFiles();
  const kept = await readFile(join(folder, file));
  const damaged = Buffer.from(kept).fill(0xaa, kept.length / 4, kept.length / 4 + 4);
  await writeFile(join(folder, file), damaged);
  expect(await runFailing()).toBe("code_failed");
  expect(damaged.equals(await readFile(join(folder, file)))).toBe(false);
});

it("works where nothing can be kept, and leaves nothing behind", async () => {
  await runFailing();
  const [file = ""] = await bytecodeFiles();
  await rm(join(folder, file));
  await mkdir(join(folder, file, "in the way"), { recursive: true });
  expect(await runFailing()).toBe("code_failed");
  expect(await bytecodeFiles()).toEqual([file]);
});
