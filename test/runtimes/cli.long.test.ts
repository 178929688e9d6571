/** The command line of the built package: on each runtime, and the servers that `stepwell init` writes. */

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { sample } from "../support/sample.ts";
import { root } from "./build.ts";
import { RUNTIMES, start } from "./host.ts";

const run = promisify(execFile);
const PROGRAM = join(root, "dist/cli/stepwell.js");
const ADMIN_KEY = "admin-key-of-the-test";

/** A project with the built package and the packages that its servers import. */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stepwell-cli-"));
  await writeFile(join(folder, "package.json"), '{ "private": true }');
  for (const name of ["valibot", "express", "hono", "@hono/node-server", "fastify"]) {
    await mkdir(dirname(join(folder, "node_modules", name)), { recursive: true });
    await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  await symlink(root, join(folder, "node_modules/stepwell"));
});
afterEach(() => rm(folder, { recursive: true }));

const names = ["node", "bun", "deno"] as const;

/** Calls the command line, and reads the JSON that it prints. */
async function cli(runtime: (typeof names)[number], args: readonly string[], env = {}) {
  const [program, ...options] = RUNTIMES[runtime];
  const all = [...options, PROGRAM, ...args, "--json"];
  const { stdout } = await run(program, all, { cwd: folder, env: { ...process.env, ...env } });
  return JSON.parse(stdout);
}

describe.each(names)("the command line on %s", (name) => {
  it("serves a folder, and runs a workflow of it", async () => {
    const dev = await start(
      [...RUNTIMES[name], PROGRAM, "dev", "--port", "0", "--json"],
      {},
      (line) => line.includes('"deployed"'),
      folder,
    );
    try {
      const { output } = await cli(name, ["run", "Expense check", "--input", '{"employee":"Ada","amount":10}']);
      expect(output).toEqual({ booked: true, net: 8.4 });
    } finally {
      await dev.stop();
    }
  });
});

/** Creates an app and a key of it, as the guide does. */
async function keyByCommands(url: string): Promise<string> {
  const admin = { STEPWELL_URL: url, STEPWELL_ADMIN_KEY: ADMIN_KEY };
  await cli("node", ["api", "apps", "create", "--name", "Test"], admin);
  return (await cli("node", ["key", "create"], admin)).key;
}

/** The same with the requests that the commands send: a server cannot tell, and no process has to start. */
async function keyByRequests(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" };
  const post = async (path: string, body: object) =>
    (await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const { id } = await post("/apps", { name: "Test" });
  return (await post(`/apps/${id}/keys`, { name: "Test" })).key;
}

const HOSTS = [
  { name: "express", runtime: "node" },
  { name: "hono", runtime: "node" },
  { name: "fastify", runtime: "node" },
  { name: "bun", runtime: "bun" },
  { name: "deno", runtime: "deno" },
] as const;

describe.each(sample(HOSTS, ["express"]))(
  "the server that stepwell init writes for $name",
  ({ name: host, runtime }) => {
    it("runs the sample", async () => {
      await cli("node", ["init", "--host", host]);
      const port = await freePort();
      const env = { PORT: String(port), STEPWELL_ADMIN_KEY: ADMIN_KEY, NO_COLOR: "1" };
      const server = await start(
        [...RUNTIMES[runtime], "server.mjs"],
        env,
        (line) => line.includes("Stepwell is at"),
        folder,
      );
      try {
        const url = `http://localhost:${port}/automation`;
        const own = {
          STEPWELL_URL: url,
          STEPWELL_KEY: await (host === "express" ? keyByCommands : keyByRequests)(url),
        };
        await cli("node", ["deploy"], own);
        const { output } = await cli(
          "node",
          ["run", "Expense check", "--input", '{"employee":"Ada","amount":10}'],
          own,
        );
        expect(output).toEqual({ booked: true, net: 8.4 });
        const page = await fetch(`${url}/console/`);
        expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      } finally {
        await server.stop();
      }
    });
  },
);
