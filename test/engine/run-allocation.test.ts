/** What a run allocates decides how much of the time goes to collecting it. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const FLAGS = ["--expose-gc", "--min-semi-space-size=128", "--max-semi-space-size=128"];
const PROGRAM = [
  "--import",
  path("../support/typescript/register.js"),
  path("../support/engine/allocation-process.ts"),
];

it("a run of five steps in memory allocates at most 125 KB", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, ...PROGRAM]);
  expect(Number(stdout)).toBeLessThan(125_000);
  expect(Number(stdout)).toBeGreaterThan(10_000);
});
