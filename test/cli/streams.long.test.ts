/** What the program reads from pipes and devices, and what it writes to a terminal, a full disk and a closed pipe. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cliOf } from "../support/cli/run-cli.ts";
import { type Mounted, openFake, openMounted } from "../support/client/mounted.ts";

const root = join(import.meta.dirname, "../..");
const PROGRAM = [
  process.execPath,
  "--import",
  join(root, "test/support/typescript/register.js"),
  join(root, "adapters/cli/stepwell.ts"),
];

let host: Mounted;
let folder: string;
let cli: ReturnType<typeof cliOf>;

beforeAll(async () => {
  host = await openMounted();
  folder = await mkdtemp(join(tmpdir(), "stepwell-cli-"));
  cli = cliOf(host, { cwd: folder });
  const input = { f: { type: "file" as const, optional: true as const } };
  const steps = [
    { type: "input" as const, key: "start", input: {}, destinations: ["size"] },
    { type: "code" as const, key: "size", code: "return input.f.map(({ size }) => size)" },
  ];
  const { id } = await host.stepwell.workflows.create(host.app, { name: "Size", input, steps });
  await host.stepwell.workflows.deploy(host.app, id);
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

/** Runs a line in bash, in which `sw` is the program. */
async function bash(line: string) {
  const env = { ...process.env, STEPWELL_URL: host.url, STEPWELL_KEY: host.key };
  const sw = `sw() { ${PROGRAM.map((one) => `'${one}'`).join(" ")} "$@"; }`;
  const child = spawn("bash", ["-c", `${sw}; ${line}`], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  child.stdout.on("data", (bytes) => {
    texts.stdout += bytes;
  });
  child.stderr.on("data", (bytes) => {
    texts.stderr += bytes;
  });
  const [code] = await once(child, "close");
  return { code, ...texts };
}

describe("stepwell run --file", () => {
  it("uploads what a pipe and a process substitution contain", async () => {
    const line = "sw run Size -f f=<(echo hello) ; echo hi! | sw run Size -f f=/dev/stdin";
    const { stdout } = await bash(line);
    expect(stdout.match(/\d+/g)).toEqual(["6", "4"]);
  });

  it("reads standard input for -", async () => {
    expect(await cli.json(["run", "Size", "-f", "f=-"], { stdin: "four" })).toMatchObject({ value: { output: [4] } });
  });

  it("returns 2 if standard input would be read twice", async () => {
    const { code, stderr } = await cli.run(["run", "Size", "-i", "-", "-f", "f=-"], { stdin: "{}" });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("read only once") });
  });

  it("uploads an empty file", async () => {
    await writeFile(join(folder, "empty"), "");
    expect(await cli.json(["run", "Size", "-f", "f=empty"])).toMatchObject({ value: { output: [0] } });
  });

  it.each([
    ["f=/dev/zero", "/dev/zero is a device"],
    ["f=nofile", "There is no file nofile."],
    ["f=sub", "sub is a folder."],
    ["f=", "names no file"],
  ])("returns 2 for %s, and starts no run", async (file, message) => {
    await mkdir(join(folder, "sub"), { recursive: true });
    const { code, stderr } = await cli.run(["run", "Size", "-f", file]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it("leaves no file behind when the input is refused", async () => {
    await writeFile(join(folder, "a.txt"), "a");
    const before = (await host.stepwell.files.list(host.app)).total;
    expect(await cli.run(["run", "Size", "-f", "f=a.txt", "-i", '{"nosuch":1}'])).toMatchObject({ code: 1 });
    expect((await host.stepwell.files.list(host.app)).total).toBe(before);
  });
});

describe("--input", () => {
  it.each([
    ["", "--input is empty."],
    ["{", "--input:1: not valid JSON"],
    ["latin.json", "latin.json: is not UTF-8 text."],
  ])("returns 2 for %j", async (input, message) => {
    await writeFile(join(folder, "latin.json"), Uint8Array.of(0x7b, 0x22, 0xe4, 0x22, 0x3a, 0x31, 0x7d));
    const { code, stderr } = await cli.run(["run", "Size", "-i", input]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe("standard output", () => {
  it("that cannot be written is an error, and one that nobody reads is not", async () => {
    const line = "sw --help > /dev/full; echo $?; set -o pipefail; sw completion bash | head -1; echo $?";
    const { stdout, stderr } = await bash(line);
    expect(stdout).toMatch(/^1\n# Completion.*\n0\n$/);
    expect(stderr).toMatch(/^error: Standard output cannot be written: .*ENOSPC/);
  });
});

describe("text of others", () => {
  const EVIL = "\u009b2J\u202e\u2066\u200e\u061c";
  const isClean = (text: string) =>
    expect(text).not.toMatch(/[\u0080-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/);

  it("is escaped in outputs, lists, hints, diagrams and exports, and stays the same as JSON", async () => {
    const name = `Evil ${EVIL}`;
    const steps = [{ type: "code" as const, key: "one", code: `return ${JSON.stringify(EVIL)}` }];
    const { id } = await host.stepwell.workflows.create(host.app, { name, steps });
    await host.stepwell.workflows.deploy(host.app, id);
    const run = await cli.run(["run", id]);
    expect(JSON.parse(run.stdout)).toBe(EVIL);
    isClean(run.stdout);
    for (const args of [["api", "workflows", "list"], ["run", "nowhere"], ["diagram", id], ["export", id], ["logs"]]) {
      const { stdout, stderr } = await cli.run(args);
      isClean(stdout + stderr);
    }
    await host.stepwell.workflows.remove(host.app, id);
  });

  it("is escaped in the errors of a server", async () => {
    const body = JSON.stringify({ title: "x", status: 400, code: "invalid", detail: EVIL });
    const fake = await openFake((_, response) => {
      response.writeHead(400, { "content-type": "application/problem+json" }).end(body);
    });
    for (const args of [["logs"], ["logs", "--json"]]) {
      const { stdout, stderr } = await cli.run([...args, "--url", fake.url]);
      isClean(stdout + stderr);
    }
    await fake.close();
  });
});

it("stepwell --help takes further options", async () => {
  expect(await cli.run(["--help", "--json"])).toMatchObject({ code: 0, stderr: "" });
});
