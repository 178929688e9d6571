/** The syntax trees of source files, for checks of the whole source. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Found {
  /** `src/file.ts:12` */
  readonly place: string;
  readonly text: string;
}

/** All nodes of the files in some folders, and of page scripts, which are `String.raw` texts in them. */
export function* nodesOf(folders: readonly string[]): Generator<{ node: ts.Node; place: string }> {
  for (const file of folders.flatMap(filesOf)) yield* nodesIn(relative(ROOT, file), readFileSync(file, "utf8"), 0);
}

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[tj]s$/.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function* nodesIn(name: string, text: string, line: number): Generator<{ node: ts.Node; place: string }> {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const open: ts.Node[] = [source];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const at = line + source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    yield { node, place: `${name}:${at}` };
    const script = scriptIn(node);
    if (script !== null) yield* nodesIn(name, script, at - 1);
    ts.forEachChild(node, (child) => void open.push(child));
  }
}

function scriptIn(node: ts.Node): string | null {
  const isRaw = ts.isTaggedTemplateExpression(node) && node.tag.getText() === "String.raw";
  return isRaw && ts.isNoSubstitutionTemplateLiteral(node.template) ? (node.template.rawText ?? "") : null;
}
