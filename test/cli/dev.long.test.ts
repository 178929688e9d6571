/** `stepwell dev` as a process of its own: that of the built package. */

import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { killAll, startDev } from "../support/cli/dev-process.ts";
import { runCli, startCli } from "../support/cli/run-cli.ts";
import { freePort } from "../support/free-port.ts";

const run = promisify(execFile);
const library = fileURLToPath(new URL("../../dist/index.js", import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stepwell-dev-"));
});
afterEach(async () => {
  await killAll();
  await rm(folder, { recursive: true });
});

const save = (name: string, content: string) => writeFile(join(folder, name), content);
const cli = async (...args: string[]) => {
  const { code, stdout } = await runCli([...args, "--json"], { cwd: folder });
  return { code, value: JSON.parse(stdout) };
};

const ASK = { type: "service", key: "ask", service: { service: "oracle", action: "ask", input: {} } };

/** A config whose service returns a number. */
const config = (answer: number) => `
  import * as v from "${fileURLToPath(import.meta.resolve("valibot"))}";
  import { defineService, type Options } from ${JSON.stringify(library)};
  const oracle = defineService({
    name: "oracle",
    actions: { ask: { input: v.object({}), output: v.number(), run: (): number => ${answer} } },
  });
  export default { services: [oracle] } satisfies Options;`;

describe("stepwell dev", () => {
  it("serves an empty folder with a sample, which other commands find without an address and a key", async () => {
    const dev = await startDev(folder);
    try {
      const { url, config, app_id, console } = await dev.next("listening");
      expect(config).toBeNull();
      expect(await dev.next("deployed")).toMatchObject({ file: "workflows/expense-check.json", version: 1 });
      expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
      expect((await fetch(`${url}/docs`)).url).toBe(`${url}/console/docs`);
      const signedIn = await fetch(`${url}/console/session`, {
        method: "POST",
        headers: { "stepwell-console": "1", "content-type": "application/json" },
        body: JSON.stringify({ once: new URL(String(console)).searchParams.get("once") }),
      });
      expect((await signedIn.json()).workflow_files).toEqual([
        { app_id, name: "Expense check", path: "workflows/expense-check.json" },
      ]);
      expect((await stat(join(folder, ".stepwell/.dev.json"))).mode & 0o777).toBe(0o600);

      const started = await cli("run", "Expense check", "--input", '{"employee":"Ada","amount":10}');
      expect(started).toMatchObject({ code: 0, value: { output: { booked: true, net: 8.4 } } });
      expect((await cli("key", "list")).value).toMatchObject([{ name: "stepwell dev" }]);

      const sample = await readFile(join(folder, "workflows/expense-check.json"), "utf8");
      await save("workflows/expense-check.json", sample.replace("1.19", "1.25"));
      expect(await dev.next("deployed")).toMatchObject({ version: 2 });
      await save("workflows/second.json", '{\n  "name": "Second",\n  "steps": [{ "type": "cod" }]\n}');
      expect(await dev.next("invalid")).toMatchObject({ file: "workflows/second.json", problems: [{ line: 3 }] });
      await save(
        "workflows/second.json",
        '{ "name": "Second", "steps": [{ "type": "code", "key": "a", "code": "return 1" }] }',
      );
      expect(await dev.next("deployed")).toMatchObject({ name: "Second", version: 1 });
    } finally {
      expect(await dev.stop("SIGINT")).toBe(0);
    }
    expect(await cli("logs")).toMatchObject({ code: 2 });
    expect(JSON.parse(await readFile(join(folder, ".stepwell/.dev.json"), "utf8"))).toMatchObject({ url: null });
  });

  it("restarts with what a new or changed config in TypeScript exports, and keeps address, data and key", async () => {
    const dev = await startDev(folder, ["--no-sample"]);
    try {
      const first = await dev.next("listening");
      await save("workflows/ask.json", JSON.stringify({ name: "Ask", steps: [ASK] }));
      expect(await dev.next("invalid")).toMatchObject({ problems: [{ pointer: "/steps/0/service/service" }] });
      await save("stepwell.config.ts", config(41));
      expect(await dev.next("listening")).toMatchObject({ config: "stepwell.config.ts" });
      await dev.next("deployed");
      const before = await readFile(join(folder, ".stepwell/.dev.json"), "utf8");
      await save("stepwell.config.ts", config(42));
      expect(await dev.next("listening")).toMatchObject({ url: first["url"], app_id: first["app_id"] });
      expect((await cli("run", "Ask")).value.output).toBe(42);
      expect(await readFile(join(folder, ".stepwell/.dev.json"), "utf8")).toBe(before);
    } finally {
      expect(await dev.stop()).toBe(0);
    }
  });

  it("starts again when a broken config has been corrected", async () => {
    await save("stepwell.config.ts", config(1));
    const dev = await startDev(folder, ["--no-sample"]);
    try {
      await dev.next("listening");
      await save("stepwell.config.ts", "export default {;");
      expect(await dev.next("invalid")).toMatchObject({ message: expect.stringContaining("stepwell.config.ts") });
      await save("stepwell.config.ts", config(2));
      await dev.next("listening");
      expect((await cli("api", "services", "list")).value).toContainEqual(expect.objectContaining({ name: "oracle" }));
    } finally {
      expect(await dev.stop()).toBe(0);
    }
  });

  it("deploys one of two files with a name, reports the other, and reads no pipe", async () => {
    const named = (value: number) =>
      JSON.stringify({ name: "Twin", steps: [{ type: "code", key: "a", code: `return ${value}` }] });
    await mkdir(join(folder, "workflows"));
    await run("mkfifo", [join(folder, "workflows/fifo.json")]);
    await save("workflows/a.json", named(1));
    await save("workflows/b.json", named(2));
    const dev = await startDev(folder);
    try {
      expect(await dev.next("deployed")).toMatchObject({ file: "workflows/a.json", version: 1 });
      const message = expect.stringContaining('workflows/b.json has the name "Twin", as workflows/a.json.');
      expect(await dev.next("invalid")).toMatchObject({ message });
      expect(await cli("deploy")).toMatchObject({
        code: 1,
        value: { error: { problems: [{ file: "workflows/b.json", line: 1, pointer: "/name" }] } },
      });
      await rm(join(folder, "workflows/a.json"));
      expect(await dev.next("deployed")).toMatchObject({ file: "workflows/b.json", version: 2 });
    } finally {
      expect(await dev.stop()).toBe(0);
    }
  });

  it("says that a config is loading, and ends with the first signal", async () => {
    await save("stepwell.config.mjs", "setInterval(() => {}, 1e6); await new Promise(() => {}); export default {};");
    const dev = await startDev(folder, ["--no-sample"]);
    expect(await dev.next("loading")).toMatchObject({ config: "stepwell.config.mjs" });
    expect(await dev.stop("SIGINT")).toBe(0);
  });

  it("responds to GET / with its addresses, and leads browsers to the console", async () => {
    const dev = await startDev(folder, ["--no-sample"]);
    const { url } = await dev.next("listening");
    const response = await fetch(`${url}/`);
    expect({ status: response.status, text: await response.text() }).toEqual({
      status: 200,
      text: expect.stringContaining(`${url}/openapi.json`),
    });
    const page = await fetch(`${url}/`, { headers: { accept: "text/html,*/*" } });
    expect([page.status, page.url, await page.text()]).toEqual([
      200,
      `${url}/console/`,
      expect.stringMatching(/ src="\/console\/assets\/index-[\w-]+\.js"/),
    ]);
    await dev.stop();
  });

  it("signs in once by the address that it prints, as an admin with the app", async () => {
    const dev = await startDev(folder, ["--no-sample"]);
    const { url, app_id, console: address } = await dev.next("listening");
    const { searchParams, origin, pathname } = new URL(String(address));
    expect(origin + pathname).toBe(`${url}/console/`);
    const body = JSON.stringify({ once: searchParams.get("once") });
    const own = { "stepwell-console": "1", "content-type": "application/json" };
    const signIn = () => fetch(`${url}/console/session`, { method: "POST", headers: own, body });
    const signedIn = await signIn();
    expect(await signedIn.json()).toMatchObject({ session: { kind: "admin", admin: true, app_id } });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const me = await fetch(`${url}/me`, { headers: { ...own, cookie } });
    expect(await me.json()).toMatchObject({ app: { id: app_id }, key: null });
    expect((await signIn()).status).toBe(401);
    await dev.stop();
  });

  it("does not sign in others, where they reach the server", async () => {
    const dev = await startDev(folder, ["--no-sample", "--host", "0.0.0.0"]);
    const { url, console: address } = await dev.next("listening");
    expect(address).toBe(`${url}/console/`);
    await dev.stop();
  });

  it("keeps a copy of a damaged .dev.json, and warns when it is lost", async () => {
    const place = join(folder, ".stepwell/.dev.json");
    await startDev(folder, ["--no-sample"]).then(async (dev) => {
      await dev.next("listening");
      await dev.stop();
    });
    const text = await readFile(place, "utf8");
    await writeFile(place, text.slice(0, -20));
    const damaged = await startDev(folder, ["--no-sample"]);
    expect(await damaged.next("warning")).toMatchObject({
      message: expect.stringMatching(/\.dev\.json\.damaged-1 is a copy\..*credentials can't be read/),
    });
    await damaged.stop();
    expect(await readFile(`${place}.damaged-1`, "utf8")).toBe(text.slice(0, -20));
    expect((await stat(`${place}.damaged-1`)).mode & 0o777).toBe(0o600);
    await rm(place);
    const lost = await startDev(folder, ["--no-sample"]);
    expect(await lost.next("warning")).toMatchObject({ message: expect.stringContaining("its .dev.json is missing") });
    await lost.stop();
  });

  it("returns 2 for a folder that does not exist, and 1 if .stepwell is a file", async () => {
    expect(await runCli(["dev", "nowhere"], { cwd: folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no folder"),
    });
    await save(".stepwell", "");
    expect(await runCli(["dev"], { cwd: folder })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(".stepwell is not a folder."),
    });
    expect(await readdir(folder)).toEqual([".stepwell"]);
  });

  it("says in one line that another process uses the folder", async () => {
    const dev = await startDev(folder, ["--no-sample"]);
    await dev.next("listening");
    const second = await startDev(folder, ["--no-sample"]);
    expect(await second.ended).toBe(1);
    expect(second.errors).toEqual([]);
    expect(second.events).toEqual([
      { error: expect.objectContaining({ hint: expect.stringContaining("Only one process") }) },
    ]);
    await dev.stop();
  });

  it("ends with 1 if another process uses the port, and says what to type", async () => {
    const other = createServer().listen(0, "localhost");
    await once(other, "listening");
    const address = other.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const dev = await startDev(folder, ["--port", String(port)]);
    expect(await dev.ended).toBe(1);
    other.close();
    expect(dev.events).toEqual([
      { error: expect.objectContaining({ hint: expect.stringContaining("stepwell dev --port 3001") }) },
    ]);
  });

  it("opens the console, restarts, creates a key and ends when a person presses o, r, k and q", async () => {
    const browser = join(folder, "browser.sh");
    await writeFile(browser, `#!/bin/sh\necho "$1" >> "${folder}/opened.txt"\n`, { mode: 0o755 });
    const opened = async () => (await readFile(join(folder, "opened.txt"), "utf8").catch(() => "")).trim().split("\n");
    const env = { BROWSER: browser };
    const dev = startCli(["dev", "--port", String(await freePort()), "--no-sample"], {
      cwd: folder,
      env,
      isInteractive: true,
    });
    const shows = (text: string) => expect.poll(() => dev.output.text).toContain(text);
    const key = async () => JSON.parse(await readFile(join(folder, ".stepwell/.dev.json"), "utf8")).key;
    await shows("r restart · o open · k new key · q quit");
    const first = await key();
    await expect.poll(async () => (await opened())[0]).toContain("/console/");
    dev.type("o");
    await expect.poll(async () => (await opened()).length).toBe(2);
    const addresses = await opened();
    for (const address of addresses) expect(address).toMatch(/^http:\/\/localhost:\d+\/console\/\?once=[0-9a-z]{50}$/);
    expect(addresses[0]).not.toBe(addresses[1]);
    dev.type("k");
    await shows("New key: sw_");
    await expect.poll(key).not.toBe(first);
    dev.type("r");
    await shows("Restarted at http://localhost:");
    dev.type("q");
    expect(await dev.ended).toMatchObject({ code: 0 });
  });

  it("leaves no server behind when it is killed", async () => {
    const dev = await startDev(folder, ["--no-sample"]);
    const { url } = await dev.next("listening");
    await dev.stop("SIGKILL");
    const isGone = () =>
      fetch(`${url}/health`).then(
        () => false,
        () => true,
      );
    await expect.poll(isGone).toBe(true);
    expect(await cli("logs")).toMatchObject({ code: 4 });
  });
});
