/** `stepwell dev` as a process of its own. */
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { killAll, startDev } from "../support/cli/dev-process.ts";
import { runCli, startCli } from "../support/cli/run-cli.ts";
import { until } from "../support/until.ts";

const library = fileURLToPath(new URL("../../src/index.ts", import.meta.url));

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
      const { url, config } = await dev.next("listening");
      expect(config).toBeNull();
      expect(await dev.next("deployed")).toMatchObject({ file: "workflows/expense-check.json", version: 1 });
      expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
      expect((await stat(join(folder, ".stepwell/.dev.json"))).mode & 0o777).toBe(0o600);

      const run = await cli("run", "Expense check", "--input", '{"employee":"Ada","amount":10}');
      expect(run).toMatchObject({ code: 0, value: { output: { booked: true, net: 8.4 } } });
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

  it("restarts, creates a key and ends when a person presses r, k and q", async () => {
    const dev = startCli(["dev", "--port", "0", "--no-sample"], { cwd: folder, isInteractive: true });
    const shows = (text: string) => until(() => dev.output.text.includes(text));
    const key = async () => JSON.parse(await readFile(join(folder, ".stepwell/.dev.json"), "utf8")).key;
    await shows("r restart · o open · k new key · q quit");
    const first = await key();
    dev.type("o");
    await shows("There is no console to open yet.");
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
