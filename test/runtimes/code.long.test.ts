/** Sandboxed code on every runtime, with the build and the source; the process exits by itself. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "./build.ts";

const script = fileURLToPath(new URL("code-run.js", import.meta.url));

const built = `${root}dist/sandbox/quickjs.js`;
const source = `${root}adapters/sandbox/quickjs.ts`;
const deno = ["run", "--allow-all", "--quiet"];

it.each<[string, string, string[], string]>([
  ["Node.js with the build", process.execPath, [], built],
  ["Bun with the build", `${root}node_modules/.bin/bun`, ["run"], built],
  ["Bun with the source", `${root}node_modules/.bin/bun`, ["run"], source],
  ["Deno with the build", `${root}node_modules/.bin/deno`, deno, built],
  ["Deno with the source", `${root}node_modules/.bin/deno`, deno, source],
])("%s runs sandboxed code and exits", async (name, runtime, given, module) => {
  const { stdout } = await promisify(execFile)(runtime, [...given, script, module], { cwd: root });
  const failed = { code: "code_limit" };
  expect(JSON.parse(stdout)).toEqual({
    answers: { value: 2, logs: ['a {"a":1}'] },
    throws: { code: "code_failed", line: 2 },
    loops: { ...failed, limit: "timeoutMs", line: 1 },
    ...(!name.startsWith("Bun") && { holds: { ...failed, limit: "timeoutMs" } }),
    allocates: expect.objectContaining({ ...failed, limit: "memoryBytes" }),
    recurses: expect.objectContaining({ ...failed, limit: "stackBytes" }),
    aborted: "AbortError",
    lives: { value: "still here", logs: [] },
  });
});

it.each(["--input-type=module", "--input-type module"])(
  "the sandbox runs in a program passed with --eval: %s",
  async (type) => {
    const program = `
    import { createQuickjsSandbox } from ${JSON.stringify(built)};
    const limits = { memoryBytes: 16 * 2 ** 20, timeoutMs: 10_000, stackBytes: 2 ** 18, outputCharacters: 10_000 };
    const { value } = await createQuickjsSandbox().run({ code: "return 1 + 1", globals: {}, limits });
    console.log(value);`;
    const { stdout } = await promisify(execFile)(process.execPath, [...type.split(" "), "--eval", program]);
    expect(stdout).toBe("2\n");
  },
);
