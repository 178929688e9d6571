/** Every example, started by its one command and used as its first lines say. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "./build.ts";
import { RUNTIMES, start } from "./host.ts";

const run = promisify(execFile);
const [node] = RUNTIMES.node;

describe("examples/quickstart", () => {
  const file = "examples/quickstart/quickstart.js";

  it("is what the README shows", async () => {
    const [readme, example] = await Promise.all([join(root, "README.md"), join(root, file)].map((path) => text(path)));
    const [, shown = ""] = /## First result[\s\S]*?```js\n([\s\S]*?)```/.exec(readme ?? "") ?? [];
    const code = (example ?? "").replace(/^(\/\/.*\n)+/, "");
    expect(tidy(code)).toBe(tidy(shown));
    expect(shown).toContain("createStepwell");
  });

  it("ends with the result that the README tells", async () => {
    const { stdout } = await run(node, [file], { cwd: root });
    expect(stdout).toBe("succeeded { taken: 'large' }\n");
  });
});

describe("examples/mail", () => {
  it("sends a mail with the account of the app, and shows what arrived", async () => {
    const { stdout, stderr } = await run(node, ["examples/mail/run.js"], { cwd: root });
    expect(stderr).toBe("");
    expect(stdout).toMatch(
      /^succeeded \{\s+message_id: '<run_\w+\.welcome\.1@stepwell>',\s+accepted: \[ 'ada@example\.com' \]/,
    );
    expect(stdout).toContain("Subject: Welcome, Ada\n");
    expect(stdout).toMatch(/\nDear Ada,\n\nwe have received your request\.\n$/);
  });
});

describe.each([
  ["express", [...RUNTIMES.node, "examples/express/server.js"]],
  ["bun", [...RUNTIMES.bun, "examples/bun/server.js"]],
  ["deno", [...RUNTIMES.deno, "examples/deno/server.js"]],
])("examples/%s", (_, command) => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "stepwell-example-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("serves what examples/requests.sh asks for or says why not, and has it all after a second start", async () => {
    const serve = () => start(command, { PORT: "0", STORAGE: folder }, (line) => line.startsWith("stepwell is at "));
    const first = await serve();
    const told = await requests(first.ready.replace("stepwell is at ", ""));
    const [, outcome = ""] = told.split("\nrun\n");
    const ended = JSON.parse(outcome);
    expect(ended).toMatchObject({ status: "succeeded", error: null });
    expect(ended.output).toBe((await text(join(root, "examples/demo/expenses.csv"))).trim().split("\n").length);
    await first.stop();

    const second = await serve();
    const [, key = ""] = /key +(\S+)/.exec(told) ?? [];
    const url = second.ready.replace("stepwell is at ", "");
    const headers = { authorization: `Bearer ${key}` };
    const kept = await fetch(`${url}/apps/me/runs/${ended.id}`, { headers });
    expect(await kept.json()).toEqual(ended);

    const refused = requests(url, { ADMIN_KEY: "another" });
    await expect(refused).rejects.toMatchObject({ stdout: "", stderr: expect.stringContaining('"status":401') });
    await second.stop();
  });
});

/** Runs the script as it stands. Its curl is ours, so that the tests need none. */
async function requests(url: string, given: { readonly ADMIN_KEY?: string } = {}): Promise<string> {
  const path = `${join(root, "test/runtimes/curl")}:${process.env["PATH"]}`;
  const env = { ...process.env, PATH: path, ...given };
  const { stdout } = await run("sh", ["examples/requests.sh", url], { cwd: root, env });
  return stdout;
}

const text = (path: string) => readFile(path, "utf8");

/** Spaces before a comment are the formatter's business. */
const tidy = (code: string) => code.trim().replace(/ +\/\/ /g, " // ");
