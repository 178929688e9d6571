/** The script of the upload page is JavaScript in a string: this checks its types. */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { scriptIn } from "../../src/uploads/page/html.ts";
import { LANGUAGES } from "../../src/web-pages/languages.ts";
import { loadTexts } from "../../src/web-pages/page-texts.ts";

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

it.each(LANGUAGES)("the script of the upload page passes the strict type check: %s", async (language) => {
  const folder = await mkdtemp(join(tmpdir(), "stepwell-page-"));
  await writeFile(join(folder, "page.js"), scriptIn(await loadTexts(language)));
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS, files: ["page.js"] }));
  const { stdout, status } = spawnSync(process.execPath, [COMPILER, "-p", folder], { encoding: "utf8" });
  await rm(folder, { recursive: true });
  expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
});
