/**
 * Adds `undefined` to the type of every optional field of a declaration file. Stepwell treats a field that is undefined as
 * omitted, so callers who compile with `exactOptionalPropertyTypes` may pass one. The source itself stays exact: there, a
 * field that is present has a value.
 */
import ts from "typescript";

/** Types that need parentheses in a union. */
const LOOSE = new Set([
  ts.SyntaxKind.FunctionType,
  ts.SyntaxKind.ConstructorType,
  ts.SyntaxKind.ConditionalType,
  ts.SyntaxKind.InferType,
]);

export function acceptUndefined(path: string, text: string): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const types: ts.TypeNode[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && node.questionToken && node.type && !hasUndefined(node.type))
      types.push(node.type);
    ts.forEachChild(node, visit);
  };
  visit(file);
  const insertions = types.flatMap((type) => {
    const [open, close] = LOOSE.has(type.kind) ? ["(", ")"] : ["", ""];
    return [
      { at: type.getStart(file), text: open },
      { at: type.end, text: `${close} | undefined` },
    ];
  });
  const lastFirst = insertions.toSorted((one, other) => other.at - one.at);
  return lastFirst.reduce((before, { at, text: added }) => before.slice(0, at) + added + before.slice(at), text);
}

const hasUndefined = (type: ts.TypeNode): boolean =>
  type.kind === ts.SyntaxKind.UndefinedKeyword || (ts.isUnionTypeNode(type) && type.types.some(hasUndefined));
