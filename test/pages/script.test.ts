/** The script of the upload page is JavaScript in a string: this checks its types. */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { METER } from "../../src/uploads/page/progress-script.ts";
import { SCRIPT } from "../../src/uploads/page/script.ts";
import { SENDING } from "../../src/uploads/page/tus-client-script.ts";

const COMPILER = join(import.meta.dirname, "../../node_modules/typescript7/bin/tsc");
const OPTIONS = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  types: [],
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable"],
};

it("the scripts of the upload page pass the strict type check", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stepwell-page-"));
  await writeFile(join(folder, "page.js"), `${SENDING}${METER}${SCRIPT}`);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS, files: ["page.js"] }));
  const { stdout, status } = spawnSync(process.execPath, [COMPILER, "-p", folder], { encoding: "utf8" });
  await rm(folder, { recursive: true });
  expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
});
