/** Every example, started with its documented command and used as its guide shows. */

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { BLOCKS, read } from "../support/examples/guides.ts";
import { freePort } from "../support/free-port.ts";
import { sample } from "../support/sample.ts";
import { openMailServer } from "../support/servers/mail-server.ts";
import { root } from "./build.ts";
import { RUNTIMES, start } from "./host.ts";

const run = promisify(execFile);
const [node] = RUNTIMES.node;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stepwell-example-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("the guides", () => {
  /** `$ node examples/…`, and its output. */
  const shown = BLOCKS.filter(({ language }) => language === "console").map(({ document, code }) => {
    const [command = "", ...printed] = code.trimEnd().split("\n");
    return { document, program: command.replace("$ node ", ""), printed: printed.join("\n") };
  });
  const programs = shown.filter(({ document }) => document.startsWith("examples/"));

  it.each(programs)("$document shows the output of $program", async ({ program, printed }) => {
    const env = { ...process.env, CHROMIUM: inject("chromium") };
    const { stdout, stderr } = await run(node, [join(root, program)], { cwd: folder, env });
    expect(stderr).toBe("");
    // Lines of CSV end with CRLF, which a guide cannot show.
    expect(stdout.replaceAll("\r\n", "\n").trimEnd()).toBe(printed);
  });

  it("examples/testing: its tests pass", async () => {
    const { stdout } = await run(node, ["--test", "--test-reporter=tap", "examples/testing/"], { cwd: root });
    expect(stdout).toMatch(/^# pass [1-9]\d*\n# fail 0$/m);
  });
});

describe("examples/quickstart", () => {
  const file = "examples/quickstart/quickstart.js";

  it("matches the README", () => {
    const [, shown = ""] = /## First result[\s\S]*?```js\n([\s\S]*?)```/.exec(read("README.md")) ?? [];
    const code = read(file).replace(/^(\/\/.*\n)+/, "");
    expect(tidy(shown)).toBe(tidy(code));
    expect(shown).toContain("createStepwell");
  });

  it("resumes after kill -9 without repeating completed calls", async () => {
    const first = await order("1");
    expect(first.lines).toEqual(["charge …", "charge done", "pack …"]);
    const second = await order("Infinity");
    expect(second.lines).toEqual(["pack …", "pack done", "ship …", "ship done"]);
    expect(second.run).toBe(first.run);
    expect(second.ready).toBe(`succeeded { charge: ${first.pid}, pack: ${second.pid}, ship: ${second.pid} }`);
  });

  /** Runs it to its end, or kills it at the pause after the given number of pauses. */
  async function order(pauses: string) {
    const command = [node, "--import", join(root, "test/support/examples/pauses.js"), join(root, file)];
    const isLast = (line: string) => line === "pauses here" || line.startsWith("succeeded ");
    const { ready, lines, stop } = await start(command, { PAUSES: pauses }, isLast, folder);
    await stop("SIGKILL");
    const printed = lines.flatMap((line) => (/^\d+ /.test(line) ? [line.replace(/^\d+ /, "")] : []));
    const [pid] = /^\d+/.exec(lines[0] ?? "") ?? [];
    const run = printed.find((line) => line.startsWith("follows run_"));
    return { ready, pid, run, lines: printed.filter((line) => line !== run) };
  }
});

describe("examples/demo", () => {
  it("totals a report with an approval, and finds its app at the second start", async () => {
    const demo = () => run(node, ["examples/demo/demo.js"], { cwd: root, env: { ...process.env, STORAGE: folder } });
    const first = await demo();
    expect(first.stderr).toBe("");
    expect(first.stdout).toMatch(/^Created an app +app_/);
    expect(first.stdout).toContain("The run succeeded.");
    expect(first.stdout).toContain('"approval": "APPROVAL-1"');
    expect(first.stdout).toContain(": 1 run so far.");
    const second = await demo();
    expect(second.stdout).toMatch(/^Found the app of an earlier start +app_/);
    expect(second.stdout).toContain(": 2 runs so far.");
  });
});

describe("examples/approvals", () => {
  const file = "examples/approvals/approval.js";
  const isEnd = (line: string) => line.startsWith("succeeded ");

  it("matches the guide", () => {
    const [, shown = ""] = /It is complete:\n\n```js\n([\s\S]*?)```/.exec(read("examples/approvals/README.md")) ?? [];
    expect(shown).toBe(read(file));
  });

  it("prints the link, and ends with the answer", async () => {
    const env = { PORT: String(await freePort()) };
    const { ready, stop } = await start([node, join(root, file)], env, (line) => line.includes("/inputs/"), folder);
    const url = ready.slice(ready.indexOf("http"));
    await stop("SIGKILL");
    // The run continues in another process, and the link still works.
    const ended = start([node, join(root, file)], env, isEnd, folder);
    const body = new URLSearchParams({ decision: "approve", note: "Have a good trip." });
    await expect.poll(async () => (await fetch(url, { method: "POST", body }).catch(() => null))?.status).toBe(200);
    const { ready: end, stop: stopEnded } = await ended;
    expect(end).toBe("succeeded { decision: 'approve', note: 'Have a good trip.' }");
    await stopEnded();
  });

  it("sends a reminder with the same link after a day, and ends without an answer after three, by SMTP", async () => {
    const server = await openMailServer();
    const env = { PORT: String(await freePort()), DAY: "1", SMTP_URL: server.url };
    const { ready, stop } = await start([node, join(root, file)], env, isEnd, folder);
    expect(ready).toBe("succeeded { decision: 'no answer', note: null }");
    await stop();
    await server.close();
    const mails = server.mails.map((mail) => mail.replaceAll("=\r\n", ""));
    expect(mails.map((mail) => /^Subject: (.*)\r$/m.exec(mail)?.[1])).toEqual([
      "Please approve an expense",
      "Reminder: please approve an expense",
    ]);
    const links = mails.map((mail) => /http\S+\/inputs\/\w+/.exec(mail)?.[0]);
    expect(links[0]).toBeDefined();
    expect(links[1]).toBe(links[0]);
  });
});

describe("examples/mail", () => {
  it("sends an e-mail with the app's connection and prints it", async () => {
    const { stdout, stderr } = await run(node, ["examples/mail/run.js"], { cwd: root });
    expect(stderr).toBe("");
    expect(stdout).toMatch(
      /^succeeded \{\s+message_id: '<run_\w+\.welcome\.1@stepwell>',\s+accepted: \[ 'ada@example\.com' \]/,
    );
    expect(stdout).toContain("Subject: Welcome, Ada\n");
    expect(stdout).toMatch(/\nDear Ada,\n\nwe have received your request\.\n$/);
  });
});

describe("examples/deployment", () => {
  it("reports its health and stores everything on SIGTERM", async () => {
    const serve = () =>
      start([node, "examples/deployment/server.js"], { PORT: "0", STORAGE: folder, ADMIN_KEY: "admin" }, (line) =>
        line.startsWith("listening at "),
      );
    const headers = { authorization: "Bearer admin", "content-type": "application/json" };
    const urlOf = ({ ready }: { ready: string }) => ready.replace("listening at ", "");

    const first = await serve();
    await expect.poll(async () => (await fetch(`${urlOf(first)}/health`)).status).toBe(200);
    const created = await fetch(`${urlOf(first)}/apps`, { method: "POST", headers, body: '{"name":"Kept"}' });
    expect(created.status).toBe(201);
    await first.stop();
    expect(first.lines.slice(-2)).toEqual(["stopping", "stopped"]);

    const second = await serve();
    const kept = await fetch(`${urlOf(second)}/apps`, { headers });
    expect(await kept.json()).toEqual([await created.json()]);
    await second.stop();
  });
});

const host = (name: string) => `examples/hosts/${name}/server.js`;

/** Starts a server of examples/hosts. */
const serve = (command: readonly string[], PORT: string) =>
  start(command, { PORT, STORAGE: folder }, (line) => line.startsWith("stepwell is at "));

/** `next.test.ts` builds and starts the one for Next.js. */
const HOSTS: readonly (readonly [name: string, command: readonly string[]])[] = [
  ["express", [...RUNTIMES.node, host("express")]],
  ["hono", [...RUNTIMES.node, host("hono")]],
  ["koa", [...RUNTIMES.node, host("koa")]],
  ["fastify", [...RUNTIMES.node, host("fastify")]],
  ["nest", [...RUNTIMES.node, host("nest")]],
  ["elysia", [...RUNTIMES.bun, host("elysia")]],
  ["bun", [...RUNTIMES.bun, host("bun")]],
  ["deno", [...RUNTIMES.deno, host("deno")]],
];

/** One on each runtime. */
describe.each(sample(HOSTS, ["fastify", "bun", "deno"]))("examples/hosts/%s", (_, command) => {
  it("serves its own route and Stepwell, and keeps the data after a restart", async () => {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const headers = { authorization: "Bearer local-admin-key", "content-type": "application/json" };

    const first = await serve(command, String(port));
    expect(first.ready).toBe(`stepwell is at ${origin}/automation, its console at ${origin}/automation/console`);
    const page = await fetch(`${origin}/automation/console`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await (await fetch(`${origin}/`)).json()).toEqual({ hello: "world" });
    const created = await fetch(`${origin}/automation/apps`, { method: "POST", headers, body: '{"name":"Kept"}' });
    expect(created.status).toBe(201);
    await first.stop();

    const second = await serve(command, String(port));
    const kept = await fetch(`${origin}/automation/apps`, { headers });
    expect(await kept.json()).toEqual([await created.json()]);
    await second.stop();
  });
});

describe("examples/requests.sh", () => {
  it("uploads a file and runs a workflow", async () => {
    const port = String(await freePort());
    const url = `http://localhost:${port}/automation`;
    const server = await serve([node, host("express")], port);
    const printed = await sendRequests(url);
    const ended = JSON.parse(printed.split("\nrun\n")[1] ?? "");
    expect(ended).toMatchObject({ status: "succeeded", error: null });
    expect(ended.output).toBe((await text(join(root, "examples/demo/expenses.csv"))).trim().split("\n").length);

    const refused = sendRequests(url, { ADMIN_KEY: "another" });
    await expect(refused).rejects.toMatchObject({ stdout: "", stderr: expect.stringContaining('"status":401') });
    await server.stop();
  });
});

/** Runs the script unchanged, with a curl of the tests, so that they need none. */
async function sendRequests(url: string, given: { readonly ADMIN_KEY?: string } = {}): Promise<string> {
  const path = `${join(root, "test/runtimes/curl")}:${process.env["PATH"]}`;
  const env = { ...process.env, PATH: path, ...given };
  const { stdout } = await run("sh", ["examples/requests.sh", url], { cwd: root, env });
  return stdout;
}

const text = (path: string) => readFile(path, "utf8");

/** The formatter decides about spaces before a comment. */
const tidy = (code: string) => code.trim().replace(/ +\/\/ /g, " // ");
