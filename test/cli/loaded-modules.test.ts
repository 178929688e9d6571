/** What commands load: `--help` must be immediate, so nothing heavy is imported before the command is known. */

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Everything that a module imports at once, itself included: files of this repository, and packages. */
function loadedBy(entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  const file = ts.createSourceFile(entry, readFileSync(join(root, entry), "utf8"), ts.ScriptTarget.Latest);
  for (const node of file.statements) {
    if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) continue;
    const isType = ts.isImportDeclaration(node) ? node.importClause?.isTypeOnly === true : node.isTypeOnly;
    if (isType || node.moduleSpecifier === undefined || !ts.isStringLiteral(node.moduleSpecifier)) continue;
    const target = node.moduleSpecifier.text;
    if (target.startsWith(".")) loadedBy(relative(root, join(root, dirname(entry), target)), found);
    else found.add(target);
  }
  return found;
}

describe("adapters/cli/stepwell.ts", () => {
  it("loads only what `--help` needs", () => {
    expect([...loadedBy("adapters/cli/stepwell.ts")].sort()).toMatchInlineSnapshot(`
      [
        "adapters/cli/commands.ts",
        "adapters/cli/main.ts",
        "adapters/cli/package-version.ts",
        "adapters/cli/stepwell.ts",
        "adapters/cli/terminal/failure.ts",
        "adapters/cli/terminal/shell.ts",
        "adapters/cli/terminal/similar.ts",
        "adapters/cli/terminal/table.ts",
        "node:fs/promises",
        "src/encoding/json-pointer.ts",
        "src/errors.ts",
        "src/json.ts",
      ]
    `);
  });
});

describe("commands", () => {
  const HEAVY = /^src\/(index|create|storage|engine|http)|^@clack|^valibot|^adapters\/(?!cli)/;
  const names = [
    "api",
    "completion",
    "deploy",
    "dev",
    "diagram",
    "export",
    "import",
    "inbox",
    "init",
    "key",
    "logs",
    "mcp",
    "run",
  ];

  it.each(names)("stepwell %s loads neither the library nor prompts before it needs them", (name) => {
    const heavy = [...loadedBy(`adapters/cli/commands/${name}.ts`)].filter((module) => HEAVY.test(module));
    expect(heavy).toEqual([]);
  });
});
