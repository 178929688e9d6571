/** The comments of the functions of `stepwell.*`, from src/api/. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const folder = fileURLToPath(new URL("../../../src/api/", import.meta.url));

/** The first sentence of the comment of each function by interface and name, and of each interface under "". */
export function apiComments(): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".ts"))) {
    const file = ts.createSourceFile(name, readFileSync(folder + name, "utf8"), ts.ScriptTarget.Latest, true);
    for (const node of file.statements) {
      if (!ts.isInterfaceDeclaration(node) || !/(Api|Functions)$|^Api$/.test(node.name.text)) continue;
      const members = node.members.flatMap((member): [string, string][] =>
        member.name === undefined ? [] : [[member.name.getText(), firstSentence(member)]],
      );
      found.set(node.name.text, new Map([["", firstSentence(node)], ...members]));
    }
  }
  return found;
}

function firstSentence(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = (ts.getTextOfJSDocComment(comment?.comment) ?? "")
    .replace(/\s+/g, " ")
    .replace(/\{@link (\w+)\}/g, "$1");
  return /^.*?[.!?](?= [A-Z`]|$)/.exec(text)?.[0] ?? text;
}
