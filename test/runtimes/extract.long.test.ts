/** Extracting documents on every runtime, with the build and the source; the process exits by itself. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "./build.ts";
import { RUNTIMES } from "./host.ts";

const script = fileURLToPath(new URL("extract-run.js", import.meta.url));
const built = `${root}dist/extract/extractor.js`;
const source = `${root}adapters/extract/extractor.ts`;

it.each<[string, readonly string[], string]>([
  ["Node.js with the build", RUNTIMES.node, built],
  ["Bun with the build", RUNTIMES.bun, built],
  ["Bun with the source", RUNTIMES.bun, source],
  ["Deno with the build", RUNTIMES.deno, built],
  ["Deno with the source", RUNTIMES.deno, source],
])("%s extracts documents and exits", async (_, [program = "", ...given], module) => {
  const { stdout } = await promisify(execFile)(program, [...given, script, module], { cwd: root });
  expect(JSON.parse(stdout)).toEqual({
    "report.pdf": "café 2",
    "story.pdf": "café 1",
    "contract.docx": "contract 2",
    "orders.xlsx": "Ann 1",
    "results.pptx": "Quarterly 2",
    "story.odt": "café 0",
    "encrypted.pdf": "encrypted",
    endless: "timeout",
  });
});
