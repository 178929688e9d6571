/** The packed package: imported in every documented way, with nothing else installed. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./build.ts";
import { RUNTIMES } from "./host.ts";

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

const run = promisify(execFile);
const manifest: Manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const { dependencies, peerDependencies, peerDependenciesMeta } = manifest;
/** Not modules for programs: data, and a program of worker threads. */
const NOT_IMPORTED = new Set(["./package.json", "./sandbox/quickjs.wasm", "./extract/worker"]);
const SUBPATHS = Object.keys(manifest.exports).filter((path) => !NOT_IMPORTED.has(path));
/** What the servers import that `stepwell init` writes: the build contains their text. */
const WRITTEN = new Set(["stepwell", "hono", "express", "fastify", "@hono/node-server", "valibot"]);
/** Subpaths that are about another package, and need it. */
const PEERS: Readonly<Record<string, string>> = { "./telemetry/opentelemetry": "@opentelemetry/api" };
const nameOf = (subpath: string) => `stepwell${subpath.slice(1)}`;

/** A project with only the package and what npm installs with it. */
let project: string;
let installed: string;
let packed: readonly string[];

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "stepwell-package-"));
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", project], {
    cwd: root,
  });
  const [{ filename, files }] = JSON.parse(stdout);
  packed = files.map(({ path }: { path: string }) => path);
  await run("tar", ["xzf", filename], { cwd: project });
  installed = join(project, "node_modules/stepwell");
  await mkdir(dirname(installed));
  await cp(join(project, "package"), installed, { recursive: true });
  await Promise.all((await closure(Object.keys(dependencies))).map(link));
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
});
afterAll(() => rm(project, { recursive: true }));

/** The dependencies that npm would install, transitively. */
async function closure(names: readonly string[], found = new Set<string>()): Promise<string[]> {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    const text = await readFile(join(root, "node_modules", name, "package.json"), "utf8");
    await closure(Object.keys(JSON.parse(text).dependencies ?? {}), found);
  }
  return [...found];
}

async function link(name: string): Promise<void> {
  const place = join(project, "node_modules", name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(join(root, "node_modules", name), place);
}

/** Runs a script in the project. Symlinks are preserved, so it cannot find packages of this repository. */
async function node(type: "module" | "commonjs", script: string): Promise<string> {
  const [program] = RUNTIMES.node;
  const args = ["--preserve-symlinks", "--no-warnings", `--input-type=${type}`, "--eval", script];
  return (await run(program, args, { cwd: project })).stdout.trim();
}

describe("the npm package", () => {
  it("contains the build, README, HTTP.md, openapi.json, llms.txt and licenses, and no sources", () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        "package.json",
        "README.md",
        "HTTP.md",
        "openapi.json",
        "llms.txt",
        "dist/index.js",
        "dist/index.d.ts",
      ]),
    );
    expect(
      packed.filter(
        (path) => !/^(dist\/|package\.json$|README\.md$|HTTP\.md$|openapi\.json$|llms\.txt$|LICEN[CS]E)/.test(path),
      ),
    ).toEqual([]);
  });

  it("has a README whose links exist in the package", async () => {
    const readme = await readFile(join(installed, "README.md"), "utf8");
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = ""]) => path);
    expect(links).toContain("HTTP.md");
    expect(links.filter((path) => !packed.includes(path))).toEqual([]);
  });

  describe("exports", () => {
    /** What each subpath exports, or why it cannot be loaded. One process imports all, one requires all in reverse. */
    let imported: Readonly<Record<string, string>>;
    let required: Readonly<Record<string, string>>;

    beforeAll(async () => {
      for (const peer of Object.values(PEERS)) {
        expect(peerDependenciesMeta[peer]).toEqual({ optional: true });
        await link(peer);
      }
      const load = (how: string, subpaths: readonly string[]) => `(async () => {
        const names = (it) => Object.keys(it).filter((name) => name !== "__esModule").sort().join();
        const found = {};
        for (const name of ${JSON.stringify(subpaths.map(nameOf))})
          found[name] = await (async () => names(${how}))().catch((error) => "fails: " + error.message);
        console.log(JSON.stringify(found));
      })()`;
      imported = JSON.parse(await node("module", load("await import(name)", SUBPATHS)));
      required = JSON.parse(await node("commonjs", load("require(name)", SUBPATHS.toReversed())));
    });

    it.each(SUBPATHS)("%s for import and require", (path) => {
      const names = imported[nameOf(path)];
      expect(names).toMatch(/^\w+(,\w+)*$/);
      expect(required[nameOf(path)]).toBe(names);
    });
  });

  it.each([
    ["ioredis", "./storage/redis", '{ url: "redis://127.0.0.1:1" }'],
    [
      "aws4fetch",
      "./storage/s3",
      '{ endpoint: "http://127.0.0.1:1", region: "r", bucket: "b", accessKeyId: "a", secretAccessKey: "s" }',
    ],
  ])("needs %s for %s alone, and names it when it is missing", async (needed, path, options) => {
    expect(Object.keys(peerDependencies)).toContain(needed);
    expect(peerDependenciesMeta[needed]).toEqual({ optional: true });
    const use = `import driver from "${nameOf(path)}";
      await driver(${options}).getItem("a").catch((error) => console.log(error.message))`;
    expect(await node("module", use)).toContain(`npm install ${needed}`);
  });

  it("needs pg for stepwell/storage/postgres alone, and names it when it is missing", async () => {
    expect(peerDependenciesMeta["pg"]).toEqual({ optional: true });
    const use = `import { createStepwell } from "stepwell";
      import memoryDriver from "stepwell/storage/memory";
      import postgres from "stepwell/storage/postgres";
      const entities = postgres({ url: "postgres://127.0.0.1:1/none" });
      const stepwell = createStepwell({ storage: { entities, blobs: memoryDriver() } });
      await stepwell.apps.list().catch((error) => console.log(error.code, error.message));
      await stepwell.close();`;
    expect(await node("module", use)).toMatch(/^unavailable .*npm install pg/m);
  });

  it("needs bullmq for stepwell/cluster alone, and names it when it is missing", async () => {
    expect(peerDependenciesMeta["bullmq"]).toEqual({ optional: true });
    const use = `import { bullmq } from "stepwell/cluster";
      const ignore = () => undefined;
      const logger = { debug: ignore, info: ignore, warn: ignore, error: (message) => console.log(message) };
      const clock = { now: Date.now, after: () => ignore };
      const connection = bullmq({ connection: "redis://127.0.0.1:1" }).connect({ clock, logger });
      connection.work({ concurrency: 1, handle: async () => undefined });
      connection.subscribe(ignore);
      connection.publish("a");
      await connection.add([{ id: "a", kind: "run", subject: "a" }]).catch(({ code, message }) => console.log(code, message));
      await connection.close(new Promise(ignore));`;
    expect(await node("module", use)).toMatch(
      /^The connection bullmq\(\) needs .*npm install bullmq\.\nunavailable .*npm install bullmq\.$/,
    );
  });

  it("needs playwright-core for stepwell/playwright alone, and names it when it is missing", async () => {
    expect(peerDependenciesMeta["playwright-core"]).toEqual({ optional: true });
    const use = `import { createPlaywrightBrowser } from "stepwell/playwright";
      const browser = createPlaywrightBrowser();
      const visit = { url: "http://127.0.0.1:1/", permitted: (_, found) => found, signal: new AbortController().signal };
      await browser.visit(visit).catch((error) => console.log(error.code, error.message));
      await browser.close()`;
    expect(await node("module", use)).toMatch(/^not_installed .*npm install playwright-core/);
  });

  it("needs ai for model steps alone, and names it when it is missing", async () => {
    expect(peerDependenciesMeta["ai"]).toEqual({ optional: true });
    const use = `import { createStepwell } from "stepwell";
      const stepwell = createStepwell({ models: { any: () => ({}) } });
      const { id } = await stepwell.apps.create({ name: "Any" });
      const provider = { provider: "any", model: "any", messages: "" };
      const steps = [{ type: "model", key: "ask", provider }];
      const workflow = await stepwell.workflows.create(id, { name: "Any", steps });
      const { errors } = await stepwell.workflows.validate(id, workflow.id);
      console.log(errors.map(({ pointer, message }) => pointer + " " + message).join());
      await stepwell.close();`;
    expect(await node("module", use)).toBe(
      '/steps/0/provider/provider Calling models needs the package "ai": npm install ai.',
    );
  });

  it.each([
    ["unpdf", "story.pdf"],
    ["mammoth", "story.docx"],
  ])("needs %s for %s alone, and names it when it is missing", async (needed, name) => {
    expect(peerDependenciesMeta[needed]).toEqual({ optional: true });
    const use = `import { readFile } from "node:fs/promises";
      import mime from "mime";
      import { createExtractor } from "stepwell/extract";
      const extractor = createExtractor();
      for (const name of ["${name}", "story.odt"]) {
        const bytes = await readFile(${JSON.stringify(join(root, "test/files/documents/"))} + name);
        const document = { name, mime_type: mime.getType(name), bytes };
        await extractor.extract(document, { text: true, images: true })
          .then(({ text }) => console.log(text), (error) => console.log(error.message));
      }`;
    const printed = await node("module", use);
    expect(printed).toContain(`npm install ${needed}`);
    expect(printed).toContain("# The story");
  });

  it("runs a workflow without any other package", async () => {
    await cp(join(root, "examples/quickstart/quickstart.js"), join(project, "quickstart.js"));
    const [program] = RUNTIMES.node;
    const { stdout } = await run(program, ["--preserve-symlinks", "quickstart.js"], { cwd: project });
    expect(stdout).toMatch(/^succeeded \{ charge: \d+, pack: \d+, ship: \d+ \}$/m);
  });

  describe("has types", () => {
    beforeAll(async () => {
      await writeFile(join(project, "use.ts"), USE);
      await Promise.all(["@types/node", "undici-types"].map(link));
    });

    it.each([
      // Declarations of the package and all dependencies are checked once, with the fast compiler.
      { version: "7", compiler: "typescript7", lib: "es2023,dom", skipLibCheck: "false" },
      { version: "7", compiler: "typescript7", lib: "es2023", skipLibCheck: "false" },
      { version: "5.9", compiler: "typescript", lib: "es2023,dom", skipLibCheck: "true" },
    ])(
      "that compile in a strict project with TypeScript $version, lib $lib, skipLibCheck $skipLibCheck",
      async ({ compiler, lib, skipLibCheck }) => {
        const strict = ["--strict", "--exactOptionalPropertyTypes", "--lib", lib, "--skipLibCheck", skipLibCheck];
        const settings = ["--noEmit", "--module", "nodenext", "--preserveSymlinks", "--types", "node"];
        const args = [join(root, "node_modules", compiler, "bin/tsc"), ...strict, ...settings, "use.ts"];
        const [program] = RUNTIMES.node;
        const compiled = await run(program, args, { cwd: project }).catch(({ stdout }: { stdout: string }) => ({
          stdout,
        }));
        expect(compiled.stdout).toBe("");
      },
    );
  });

  it("imports only Node.js modules and its declared dependencies", async () => {
    const allowed = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)]);
    const files = (await readdir(join(installed, "dist"), { recursive: true })).filter((file) =>
      /\.(js|d\.ts)$/.test(file),
    );
    const found = new Set<string>();
    for (const file of files) {
      const code = await readFile(join(installed, "dist", file), "utf8");
      for (const [, from, late] of code.matchAll(IMPORTS)) found.add(packageOf(from ?? late ?? ""));
    }
    found.delete(".");
    const others = [...found].filter((name) => !allowed.has(name) && !isBuiltin(name));
    expect(others.filter((name) => !WRITTEN.has(name))).toEqual([]);
    const builtIn = await builtInPackages();
    const missing = [...allowed].filter((name) => !found.has(name) && !builtIn.has(name));
    expect(missing, "installed for nothing").toEqual([]);
  });

  it("declares the libraries built into it that read what others send, in exactly the version built in", async () => {
    const builtIn = await builtInPackages();
    const both = Object.keys(dependencies).filter((name) => builtIn.has(name));
    expect(both).toEqual(expect.arrayContaining(["htmlparser2", "ipaddr.js", "multipasta", "rou3", "valibot"]));
    for (const name of both) {
      const { version } = JSON.parse(await readFile(join(root, "node_modules", name, "package.json"), "utf8"));
      expect(dependencies[name], name).toBe(version);
    }
  });

  async function builtInPackages(): Promise<Set<string>> {
    const licences = await readFile(join(installed, "dist/LICENCES.txt"), "utf8");
    return new Set(licences.split(/^-{80}$/m).map((part) => part.trim().split("\n")[0] ?? ""));
  }
});

const USE = `
import { createServer } from "node:http";
import { createStepwell, isStepwellError, type Run } from "stepwell";
import { createClient } from "stepwell/client";
import { stepwellFastify, type FastifyScope } from "stepwell/fastify";
import { toNodeHandler } from "stepwell/http/node";
import { nextStepwell } from "stepwell/next";
import { bullmq } from "stepwell/cluster";
import fsDriver from "stepwell/storage/fs";
import { createInlineSandbox } from "stepwell/sandbox/inline";
import postgres from "stepwell/storage/postgres";
import redisDriver from "stepwell/storage/redis";
import s3Driver from "stepwell/storage/s3";

const blobs = s3Driver({ endpoint: "", region: "", bucket: "", accessKeyId: "", secretAccessKey: "" });
const stepwell = createStepwell({ storage: { entities: fsDriver({ base: "here" }), blobs } });
createStepwell({ sandbox: createInlineSandbox() });
createStepwell({ storage: { entities: redisDriver({ url: "" }) } });
createStepwell({ storage: { entities: postgres({ url: "postgres://127.0.0.1/a", schema: undefined }), blobs } });
bullmq({ connection: { host: "localhost", port: 6379, tls: {} }, work: undefined, concurrency: 5 });
createServer(toNodeHandler(stepwell));
declare const fastify: FastifyScope;
await stepwellFastify(fastify, { stepwell, closeWithServer: true });
export const { GET } = nextStepwell(() => stepwell).handlers;
const app: { id: string } = await stepwell.apps.create({ name: "Lending" });
const run: Run = await stepwell.runs.create(app.id, "work", { input: { amount: 1 } }).catch((error: unknown) => {
  throw isStepwellError(error, "not_found") ? error.message : error;
});
// @ts-expect-error: a workflow is told by its id
await stepwell.runs.create(app.id, { input: {} });
// @ts-expect-error: what does not exist is found while it is written
createStepwell({ basUrl: "http://localhost" });
// optional fields may be undefined, and lists read-only, also with exactOptionalPropertyTypes
declare const text: string | undefined;
declare const number: number | undefined;
declare const list: readonly string[];
createStepwell({ baseUrl: text, logger: undefined, limits: { code: { timeoutMs: number } }, storage: { blobs: undefined } });
fsDriver({ base: "here", sync: undefined });
await stepwell.apps.create({ name: "Lending", color: text });
await stepwell.workflows.create(app.id, {
  name: "A",
  description: text,
  steps: [{ type: "note", key: "a", note: "A", conditional: text, destinations: list }],
});
await stepwell.runs.create(app.id, "work", { input: { list }, tags: list, metadata: undefined, step_key: text });
await stepwell.runs.list(app.id, { take: number, status: undefined, tags: list });
await stepwell.runs.wait(app.id, "run", { timeoutMs: number, signal: undefined });
await stepwell.records.create(app.id, "coll", { data: { loan: { list } }, tags: undefined, key: text });
await stepwell.schedules.create(app.id, { workflow_id: "work", cron: text, every: number, input: { list } });
createClient({ url: "http://localhost", headers: { a: "b" } }).with({ headers: new Headers([["a", "b"]]) });
await createClient({ url: "http://localhost", key: "key", timeoutMs: number }).events.emit(app.id, { name: "a", subject: text });
export const status: "succeeded" | "failed" | "canceled" | "queued" | "running" | "waiting" = run.status;
`;

const IMPORTS =
  /(?:^|[\n;])\s*(?:import|export)\s*(?:[\w*${}\s,]+\s*from\s*)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

function packageOf(specifier: string): string {
  // What `stepwell init` writes has a place for a path.
  if (/^(?:[.#]|\$\{)/.test(specifier)) return ".";
  if (specifier.startsWith("node:")) return specifier;
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function isBuiltin(name: string): boolean {
  return name.startsWith("node:") || builtinModules.includes(name);
}
