/** Commands that need no server: help, doctor and completion. */
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMANDS } from "../../adapters/cli/commands.ts";
import { checkClock, checkRuntime } from "../../adapters/cli/doctor/local-checks.ts";
import { writeDevFile } from "../../adapters/cli/server/dev-file.ts";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import { createStepwell } from "../../src/index.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { openFake, openMounted } from "../support/client/mounted.ts";

const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stepwell-cli-"));
});
afterEach(() => rm(folder, { recursive: true }));

const cli = (args: readonly string[], env = {}) => runCli(args, { cwd: folder, env });

describe("stepwell --help", () => {
  it("lists the commands", async () => {
    expect(await cli(["--help"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Stepwell 1.2.3: durable workflows

      Usage: stepwell COMMAND [ARGUMENTS]

        dev         Run a server for development in this folder
        init        Write a sample, a config and a server
        run         Start a run and follow it
        deploy      Deploy workflow files
        diff        Show what a file or draft changes
        logs        Show what a run did and logged
        inbox       List what waits for input, or answer it
        export      Export a workflow or the whole app
        import      Import what was exported
        diagram     Draw a workflow as Mermaid or SVG
        api         Call any function of the API
        key         Create, list or remove API keys
        mcp         Serve workflows as tools to an agent
        doctor      Check what Stepwell needs; repair a folder
        migrate     Copy all data to another storage
        completion  Print a completion script for a shell

      \`stepwell COMMAND --help\` shows the arguments of a command.
      Exit codes: 0 fine, 1 refused, 2 wrong use, 3 run failed, 4 server not reached.
      ",
      }
    `);
    expect(await cli([])).toEqual(await cli(["help"]));
  });

  it("shows the arguments of a command", async () => {
    expect((await cli(["run", "--help"])).stdout).toMatchInlineSnapshot(`
      "Start a run of a workflow and follow it (stepwell run)

      USAGE stepwell run [OPTIONS] <WORKFLOW>

      ARGUMENTS

        WORKFLOW    Name or id of the workflow, or its file (Required)

      OPTIONS

        -i, --input=<json|file>    Input: a JSON object, a file, or - for standard input      
        -f, --file=<field=path>    Upload a file for a field of the input; repeatable         
            --version=<version>    Version: latest, draft, an id or a number (default: latest)
                 --start=<step>    Input step to start at (default: the first one)            
                    --tag=<tag>    Tag to find the run by; repeatable                         
                   -d, --detach    Print the id of the run and don't wait for its end         
                    --url=<url>    Address of the server (STEPWELL_URL; else \`stepwell dev\`)  
                    --key=<key>    API key (STEPWELL_KEY; else that of \`stepwell dev\`)        
                         --json    Print JSON, and nothing else, on standard output

      EXAMPLES

        stepwell run "Expense check"
        stepwell run "Expense check" --input '{"employee": "Ada", "amount": 40}'
        stepwell run intake -f document=./contract.pdf --json
      "
    `);
  });

  it.each(Object.keys(COMMANDS))("exists for stepwell %s", async (name) => {
    const { code, stdout, stderr } = await cli([name, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`stepwell ${name}`);
  });

  it("shows the version", async () => {
    expect(await cli(["--version"])).toMatchObject({ code: 0, stdout: "1.2.3\n" });
  });

  it.each([
    [["depoly"], "Did you mean `stepwell deploy`?"],
    [["xyz"], "`stepwell --help` lists the commands."],
    [["dev", "--port", "many"], "--port many is no port."],
    [["dev", "--prot", "1"], "Unknown option '--prot'"],
    [["diagram"], "Missing required positional argument: WORKFLOW."],
  ])("is suggested with exit code 2 for %j", async (args, message) => {
    expect(await cli(args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
  });
});

describe("stepwell doctor", () => {
  const doctor = async (...args: string[]) => {
    const { code, stdout } = await cli(["doctor", "--port", "0", "--json", ...args]);
    const { checks } = JSON.parse(stdout);
    const find = (name: string) => checks.find((check: { name: string }) => check.name === name);
    return { code, find };
  };

  it("finds nothing wrong in an empty folder", async () => {
    const { code, find } = await doctor();
    expect({ code, storage: find("storage").status, server: find("server").status }).toEqual({
      code: 0,
      storage: "skipped",
      server: "skipped",
    });
    expect((await cli(["doctor", "--port", "0"])).stdout).toContain("✓ runtime");
  });

  it("reports damaged data, and repairs it", async () => {
    const base = join(folder, ".stepwell");
    const stepwell = createStepwell({ storage: { entities: fsDriver({ base }) } });
    const app = await stepwell.apps.create({ name: "Damaged" });
    await stepwell.close();
    expect((await doctor()).find("storage")).toMatchObject({ status: "ok" });
    const segment = (await readdir(base, { recursive: true })).find((name) => /documents.*[0-9]$/.test(name)) ?? "";
    const text = await readFile(join(base, segment), "utf8");
    await writeFile(join(base, segment), text.replace('"name":"Damaged"', '"name":"Dimaged"'));
    const found = await doctor();
    expect({ code: found.code, ...found.find("storage") }).toMatchObject({
      code: 1,
      status: "failed",
      hint: expect.stringContaining("stepwell doctor --repair"),
    });
    const repaired = await doctor("--repair");
    expect({ code: repaired.code, ...repaired.find("storage") }).toMatchObject({
      code: 1,
      status: "failed",
      message: expect.stringContaining(`Repaired. Lost: app ${app.id} (damaged): `),
    });
    expect((await doctor()).find("storage")).toMatchObject({ status: "ok" });
  });

  it("returns 1 when .stepwell is a file, and 2 for a folder that does not exist", async () => {
    await writeFile(join(folder, ".stepwell"), "");
    for (const args of [[], ["--repair"]]) {
      const { code, find } = await doctor(...args);
      expect({ code, message: find("storage").message }).toMatchObject({
        code: 1,
        message: expect.stringContaining(".stepwell is not a folder."),
      });
    }
    expect(await cli(["doctor", "nowhere"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no folder"),
    });
  });

  it("reports a config that cannot be used, with its line", async () => {
    await writeFile(join(folder, "stepwell.config.mjs"), "export default { limit: 5 };");
    expect((await doctor()).find("config")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("limit"),
    });
  });

  it("reports a file of keys that others can read", async () => {
    await writeDevFile(folder, { secret: "s", admin_key: "a", app_id: null, key: null, url: null });
    await chmod(join(folder, ".stepwell/.dev.json"), 0o644);
    expect((await doctor()).find("secret")).toMatchObject({
      status: "failed",
      hint: expect.stringContaining("chmod 600"),
    });
  });

  it("reports a damaged file of keys", async () => {
    await writeDevFile(folder, { secret: "s", admin_key: "a", app_id: null, key: null, url: null });
    await writeFile(join(folder, ".stepwell/.dev.json"), "{");
    expect((await doctor()).find("secret")).toMatchObject({
      status: "failed",
      hint: expect.stringContaining("credentials can't be read"),
    });
  });

  it("checks the server, its mount path, the key and the clock", async () => {
    const host = await openMounted();
    const good = await doctor("--url", host.url, "--key", host.key);
    expect(["server", "mount path", "key", "clock"].map((name) => good.find(name).status)).toEqual([
      "ok",
      "ok",
      "ok",
      "ok",
    ]);
    expect((await doctor("--url", host.url, "--key", "wrong")).find("key").status).toBe("failed");
    const { code, find } = await doctor("--url", `${host.url}/further`);
    expect({ code, ...find("mount path") }).toMatchObject({
      code: 1,
      hint: expect.stringContaining(`--url ${host.url},`),
    });
    await host.close();
    expect((await doctor("--url", host.url)).find("server")).toMatchObject({ status: "failed" });
    const other = await openFake((_, response) => response.end("hello"));
    expect((await doctor("--url", other.url)).find("mount path").message).toContain("not Stepwell");
    await other.close();
  });

  it("knows too old a runtime, and a clock that is wrong", () => {
    expect(checkRuntime({ node: "20.18.0" }).status).toBe("failed");
    expect(checkRuntime({ node: "22.1.0" }).status).toBe("ok");
    expect(checkRuntime({ bun: "1.4.0", node: "24.0.0" }).message).toBe("Bun 1.4.0");
    expect(checkClock(Date.UTC(1970, 0, 1), null).status).toBe("failed");
    expect(checkClock(Date.UTC(2030, 0, 1), Date.UTC(2030, 0, 1, 0, 5)).message).toContain("300 s");
  });
});

describe("stepwell completion", () => {
  /** Completes a line in bash. */
  async function complete(...words: string[]): Promise<string[]> {
    const script = join(folder, "completion.sh");
    await writeFile(script, (await cli(["completion", "bash"])).stdout);
    const line = `source ${script}; COMP_WORDS=(stepwell ${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length}; _stepwell; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await run("bash", ["-c", line], { cwd: folder });
    return stdout.trim().split("\n");
  }

  it("completes commands, options, and functions of the API in bash", async () => {
    expect(await complete("d")).toEqual(["dev", "deploy", "diff", "diagram", "doctor"]);
    expect(await complete("deploy", "--d")).toEqual(["--dry-run"]);
    expect(await complete("api", "ru")).toEqual(["runs", "rules"]);
    expect(await complete("api", "runs", "re")).toEqual(["retry", "replay", "remove", "removeLink"]);
    expect(await complete("key", "")).toEqual(["create", "list", "remove"]);
    await writeFile(join(folder, "intake.json"), "{}");
    expect(await complete("deploy", "int")).toEqual(["intake.json"]);
  });

  it.each(["zsh", "fish"])("prints a script for %s with every command", async (shell) => {
    const { code, stdout } = await cli(["completion", shell]);
    expect(code).toBe(0);
    for (const name of Object.keys(COMMANDS)) expect(stdout).toContain(name);
  });

  it("returns 2 for another shell", async () => {
    expect(await cli(["completion", "tcsh"])).toMatchObject({ code: 2 });
  });
});
