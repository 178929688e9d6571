/** The code blocks of the README and the guides compile unchanged, those of the guide about records run, and links lead to existing targets. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientExample } from "../../adapters/console/app/reference/client-example.ts";
import { type OpenApiDocument, operationsOf } from "../../adapters/console/app/reference/document.ts";
import { exampleBody } from "../../adapters/console/app/reference/example-body.ts";
import { fetchExample } from "../../adapters/console/app/reference/examples.ts";
import { BLOCKS, type Block, DOCUMENTS, read } from "../support/examples/guides.ts";
import { GLOBALS } from "../support/examples/snippet-globals.ts";
import { root } from "./build.ts";
import { RUNTIMES } from "./host.ts";

const run = promisify(execFile);

/** A project with the packages of this repository, and the built package. */
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "stepwell-snippets-"));
  const modules = join(project, "node_modules");
  await mkdir(modules);
  const installed = await readdir(join(root, "node_modules"));
  await Promise.all(installed.map((name) => symlink(join(root, "node_modules", name), join(modules, name))));
  await symlink(root, join(modules, "stepwell"));
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  await writeFile(join(project, "globals.d.ts"), GLOBALS);
});
afterAll(() => rm(project, { recursive: true }));

const STRICT = {
  ...{ target: "ES2023", lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"], types: ["node"] },
  ...{ module: "NodeNext", moduleDetection: "force", noEmit: true, skipLibCheck: true },
  ...{ strict: true, exactOptionalPropertyTypes: true },
};

/** Each block becomes a file with the line numbers of its document, so an error names the line to look at. */
async function compile(language: string, blocks: readonly Block[], settings: object): Promise<string> {
  const names = blocks.map(({ document, line }) => `${document.replaceAll("/", "-")}-${line}.${language}`);
  await Promise.all(
    blocks.map(({ code, line }, index) => writeFile(join(project, names[index] ?? ""), "\n".repeat(line - 1) + code)),
  );
  const config = `tsconfig.${language}.json`;
  const compilerOptions = { ...STRICT, ...settings };
  await writeFile(join(project, config), JSON.stringify({ compilerOptions, files: ["globals.d.ts", ...names] }));
  const args = [join(root, "node_modules/typescript7/bin/tsc"), "-p", config];
  const { stdout } = await run(RUNTIMES.node[0], args, { cwd: project }).catch((error: { stdout: string }) => error);
  return stdout;
}

describe("code blocks of the README, CONTRIBUTING.md and the guides", () => {
  it("have a language that is tested or cannot be", () => {
    const languages = [...new Set(BLOCKS.map(({ language }) => language))].sort();
    expect(languages).toEqual(["console", "js", "json", "sh", "text", "ts"]);
  });

  it.each([
    ["js", { allowJs: true, checkJs: true, noImplicitAny: false }],
    ["ts", {}],
  ])("compile unchanged: %s", async (language, settings) => {
    const blocks = BLOCKS.filter((block) => block.language === language);
    expect(blocks).not.toEqual([]);
    expect(await compile(language, blocks, settings)).toBe("");
  });

  it("parse: json", () => {
    const blocks = BLOCKS.filter(({ language }) => language === "json");
    expect(blocks).not.toEqual([]);
    for (const { code } of blocks) JSON.parse(code);
  });
});

it("the examples of the operations in the reference of the console compile unchanged", async () => {
  const document: OpenApiDocument = JSON.parse(read("openapi.json"));
  const blocks = operationsOf(document).flatMap((operation) => {
    const given = { values: { app_id: "me" }, body: exampleBody(document, operation) };
    const call = { operation, given, server: "https://example.com/automation" };
    const texts = [clientExample(call), fetchExample(call)].filter((text) => text !== null);
    return texts.map((code, line) => ({ document: operation.operationId, language: "ts", code, line: line + 1 }));
  });
  expect(blocks.length).toBeGreaterThan(200);
  expect(await compile("ts", blocks, {})).toBe("");
});

describe("the guide about records", () => {
  const blocks = BLOCKS.filter(({ document, language }) => /records/.test(document) && /^[jt]s$/.test(language));

  it("has code blocks that run as they are, and print what their comments say", async () => {
    const names = blocks.map(({ line }) => `line-${line}.mjs`);
    await Promise.all(blocks.map(({ code }, index) => writeFile(join(project, names[index] ?? ""), code)));
    await copyFile(join(root, "test/support/examples/run-blocks.js"), join(project, "run-blocks.js"));
    const { stdout } = await run(RUNTIMES.node[0], ["run-blocks.js", ...names], { cwd: project });
    const printed = Object.fromEntries(
      stdout.split("## ").map((part) => [part.split("\n", 1)[0], part.replace(/^.*\n/, "")]),
    );
    const of = (code: string) => printed[names[blocks.findIndex((block) => block.code.includes(code))] ?? ""] ?? "";
    const [, commented] = /\/\/ .*result: "(\w+)"/.exec(read("examples/records/README.md")) ?? [];
    expect(of("on_success")).toContain(`result: '${commented}'`);
    expect(of("records.import(")).toBe("succeeded: 2 rows, 0 failed\n");
    expect(of("records.evaluateMany(")).toBe("succeeded: 1 done, 0 with an ERROR\n");
    expect(of("isRecordFile")).toBe("contract.txt\n");
    expect(printed["end"]).toBe("500\n");
    expect(Object.keys(printed).slice(1)).toEqual([...names, "end"]);
  });
});

describe.each(DOCUMENTS)("%s", (document) => {
  it("has links to existing files and headings only", () => {
    const missing = linksOf(document).filter(({ path, heading }) => !leads(path, heading));
    expect(missing).toEqual([]);
  });
});

describe("README.md", () => {
  it("has at most 150 lines", () => {
    expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  });

  it("links to every guide", () => {
    const linked = linksOf("README.md").map(({ path }) => path);
    const guides = DOCUMENTS.filter((document) => document.startsWith("examples/")).map(dirname);
    expect(guides.filter((folder) => !linked.includes(folder))).toEqual([]);
  });
});

describe("CONTRIBUTING.md", () => {
  it("names files and scripts that exist", () => {
    const text = read("CONTRIBUTING.md");
    const paths = [...text.matchAll(/`((?:src|adapters|test|examples|bench)\/[\w./-]*)`/g)].map(
      ([, path = ""]) => path,
    );
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);

    const { scripts } = JSON.parse(read("package.json"));
    const named = [...text.matchAll(/npm run ([\w-]+)/g)].map(([, script = ""]) => script);
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  it("names files that exist", () => {
    const named = [...read("ARCHITECTURE.md").matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = ""]) => file);
    expect(named.length).toBeGreaterThan(20);
    const files = ["src", "adapters", "build", "test"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => `/${folder}/${file}`),
    );
    expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
  });
});

const REPOSITORY = /^https:\/\/github\.com\/stepwell\/stepwell\/(?:blob|tree)\/main\//;

/** Links into the repository, by paths from its root. */
function linksOf(document: string): { path: string; heading: string | undefined }[] {
  return [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(({ 1: link = "" }) => {
    const [target = "", heading] = link.replace(REPOSITORY, "").split("#");
    if (/^https?:/.test(target)) return [];
    if (target === "") return [{ path: document, heading }];
    return [{ path: REPOSITORY.test(link) ? target : join(dirname(document), target), heading }];
  });
}

function leads(path: string, heading: string | undefined): boolean {
  if (!existsSync(join(root, path))) return false;
  if (heading === undefined) return true;
  const text = read(path.endsWith(".md") ? path : join(path, "README.md"));
  return [...text.matchAll(/^#+ (.*)$/gm)].some(({ 1: title = "" }) => anchorOf(title) === heading);
}

/** As GitHub generates it. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
