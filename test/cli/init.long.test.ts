/** `stepwell init`: the files of a new project, and what becomes of those that exist. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOST_NAMES } from "../../adapters/cli/init/hosts.ts";
import { runCli, startCli } from "../support/cli/run-cli.ts";

const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stepwell-cli-"));
});
afterEach(() => rm(folder, { recursive: true }));

const cli = (args: readonly string[]) => runCli(args, { cwd: folder });

describe("stepwell init", () => {
  it.each(HOST_NAMES)("writes a workflow, a config and a server for %s", async (host) => {
    const { code, stdout } = await cli(["init", "--host", host, "--json"]);
    const { created, kept } = JSON.parse(stdout);
    expect({ code, kept }).toEqual({ code: 0, kept: [] });
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
    expect(files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort()).toEqual(
      created.sort(),
    );
    for (const name of created.filter((one: string) => one.endsWith(".mjs"))) {
      await run(process.execPath, ["--check", join(folder, name)]);
    }
  });

  it("keeps files that exist, unless --force", async () => {
    await writeFile(join(folder, "server.mjs"), "// mine");
    expect((await cli(["init", "--host", "express"])).stdout).toContain("kept     server.mjs");
    expect(await readFile(join(folder, "server.mjs"), "utf8")).toBe("// mine");
    await cli(["init", "--host", "express", "--force"]);
    expect(await readFile(join(folder, "server.mjs"), "utf8")).toContain("express()");
  });

  it.each([
    ["adds what is missing", "dist/\n.env", "dist/\n.env\n.stepwell/\nnode_modules/\n"],
    ["keeps its line ends", "dist/\r\n", "dist/\r\n.stepwell/\r\nnode_modules/\r\n"],
    ["knows lines that ignore the same", "/node_modules\n.env\n.stepwell\n", "/node_modules\n.env\n.stepwell\n"],
    ["fills an empty file", "", ".stepwell/\nnode_modules/\n"],
  ])("keeps the lines of a .gitignore, and adds those that it lacks: %s", async (_, before, after) => {
    const file = join(folder, ".gitignore");
    await writeFile(file, before);
    const { stdout } = await cli(["init", "--host", "express"]);
    expect(await readFile(file, "utf8")).toBe(after);
    expect(stdout.includes("extended .gitignore\n")).toBe(before !== after);
  });

  it("ignores what Next.js builds, and only there", async () => {
    await cli(["init", "--host", "next"]);
    expect(await readFile(join(folder, ".gitignore"), "utf8")).toBe(".stepwell/\nnode_modules/\n.next/\n");
    await cli(["init", "--host", "express", "--force"]);
    expect(await readFile(join(folder, ".gitignore"), "utf8")).toBe(".stepwell/\nnode_modules/\n.next/\n");
    await rm(join(folder, ".gitignore"));
    await cli(["init", "--host", "express"]);
    expect(await readFile(join(folder, ".gitignore"), "utf8")).toBe(".stepwell/\nnode_modules/\n");
  });

  it("says what --force does to a file that it keeps", async () => {
    await writeFile(join(folder, "server.mjs"), "// mine");
    const { stdout } = await cli(["init", "--host", "express"]);
    expect(stdout).toContain("kept     server.mjs (--force replaces it)\n");
  });

  it("says what to type in a package of CommonJS modules, which Next.js does not compile, and leaves its package.json", async () => {
    const manifest = '{ "type": "commonjs" }';
    const file = join(folder, "package.json");
    await writeFile(file, manifest);
    expect((await cli(["init", "--host", "next"])).stdout).toContain("Next:\n  npm pkg delete type  ");
    expect(await readFile(file, "utf8")).toBe(manifest);
    expect((await cli(["init", "--host", "express"])).stdout).not.toContain("npm pkg");
    await writeFile(file, "{}");
    expect((await cli(["init", "--host", "next"])).stdout).not.toContain("npm pkg");
  });

  describe("in a project of Next.js", () => {
    const add = async (path: string, text: string) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    };

    it.each([
      ["next.config.ts", "instrumentation.ts"],
      ["next.config.js", "instrumentation.js"],
      ["next.config.mjs", "instrumentation.mjs"],
      ["next.config.mts", "src/instrumentation.ts"],
      ["next.config.cjs", "src/instrumentation.js"],
    ])("leaves %s and %s, writes none beside them, and says what to add", async (config, instrumentation) => {
      if (instrumentation.startsWith("src/")) await add("src/app/page.tsx", "");
      await add(config, "export default {};");
      await add(instrumentation, "export function register() {}");
      for (const force of config === "next.config.mjs" ? [[]] : [[], ["--force"]]) {
        const { stdout } = await cli(["init", "--host", "next", ...force]);
        expect(stdout).toContain(`kept     ${config} (`);
        expect(stdout).toMatch(
          new RegExp(`\nAdd to ${config}:\n(.*\n){1,2} {2}serverExternalPackages: \\["stepwell"\\],\n`),
        );
        expect(await readFile(join(folder, config), "utf8")).toBe("export default {};");
        const files = (await readdir(folder, { recursive: true })).filter((name) =>
          /next\.config|instrument/.test(name),
        );
        expect(files.sort()).toEqual([config, instrumentation].sort());
      }
    });

    it("says what to add for the folder of the file, and only to files without Stepwell", async () => {
      await add("src/app/page.tsx", "");
      await add("src/instrumentation.ts", "export function register() {}");
      await add("next.config.ts", 'export default { serverExternalPackages: ["stepwell"] };');
      const { stdout } = await cli(["init", "--host", "next", "--json"]);
      expect(JSON.parse(stdout).additions).toEqual([
        { path: "src/instrumentation.ts", lines: expect.stringContaining('import("../stepwell.mjs")') },
      ]);
    });

    it.each([
      ["src/pages/index.tsx", "src/app/automation/[[...path]]/route.js"],
      ["app/page.tsx", "app/automation/[[...path]]/route.js"],
    ])("mounts Stepwell where Next.js reads %s", async (page, route) => {
      await add("src/components/header.tsx", "");
      await add(page, "");
      expect(JSON.parse((await cli(["init", "--host", "next", "--json"])).stdout).created).toContain(route);
    });
  });

  it.each(HOST_NAMES)("writes a server with the console for %s", async (host) => {
    const { stdout } = await cli(["init", "--host", host]);
    const text = await readFile(join(folder, host === "next" ? "stepwell.mjs" : "server.mjs"), "utf8");
    expect(text).toContain('import { webConsole } from "stepwell/console";');
    expect(text).toContain("console: webConsole(),");
    expect(stdout).toContain("  Console    http://localhost:3000/automation/console/\n");
  });

  it("asks for the host in a terminal", async () => {
    const init = startCli(["init"], { cwd: folder, isInteractive: true });
    await init.answer("What mounts Stepwell?", "\u001b[B\r");
    expect(await init.ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("npm install stepwell valibot hono"),
    });
  });

  it("returns 2 without a host if nobody can be asked, and for an unknown one", async () => {
    expect(await cli(["init"])).toMatchObject({ code: 2, stderr: expect.stringContaining("Pass --host express") });
    expect(await cli(["init", "--host", "koa"])).toMatchObject({ code: 2 });
    expect(await readdir(folder)).toEqual([]);
  });
});
