/** The guarded fetch over real sockets, on every supported runtime. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { scenarios } from "./net-scenarios.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const script = fileURLToPath(new URL("net-run.ts", import.meta.url));

describe("the guarded fetch on Node.js", () => {
  it.each(Object.entries(scenarios))("%s", async (_, run) => expect(await run()).toBeUndefined());
});

describe.each([
  ["Bun", "bun", ["run"]],
  ["Deno", "deno", ["run", "--allow-all", "--quiet"]],
])("the guarded fetch on %s", (_, runtime, given) => {
  it("passes the same scenarios", async () => {
    const { stdout } = await promisify(execFile)(`${root}/node_modules/.bin/${runtime}`, [...given, script], {
      cwd: root,
    });
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(Object.keys(scenarios).map((name) => [name, "ok"])));
  });
});
