/** The members of a declaration as lines of text, from their comments. */
import { readFileSync } from "node:fs";
import ts from "typescript";

/**
 * A list of lines for each object that the declaration describes: an interface, a union of object types, or a constant
 * with a schema.
 */
export function commentLines(path: string, declaration: string): readonly (readonly string[])[] {
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const objects = file.statements.flatMap((statement): (readonly ts.Node[])[] => {
    if (ts.isInterfaceDeclaration(statement))
      return statement.name.text === declaration ? [[...statement.members]] : [];
    if (ts.isTypeAliasDeclaration(statement))
      return statement.name.text === declaration ? objectTypes(statement.type) : [];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      name.getText() === declaration && initializer !== undefined && ts.isCallExpression(initializer)
        ? initializer.arguments.filter(ts.isObjectLiteralExpression).map(({ properties }) => [...properties])
        : [],
    );
  });
  return objects.map((members) => members.map(lineOf));
}

function objectTypes(type: ts.TypeNode): (readonly ts.Node[])[] {
  if (ts.isTypeLiteralNode(type)) return [[...type.members]];
  return ts.isUnionTypeNode(type) ? type.types.flatMap(objectTypes) : [];
}

/** `- name?: type. Description. Default: value.` */
function lineOf(member: ts.Node): string {
  if (ts.isPropertyAssignment(member)) return `- \`${member.name.getText()}\`: ${textOf(member)}`;
  if (!ts.isPropertySignature(member)) throw new Error(`Neither a field nor a property: ${member.getText()}`);
  const { name, questionToken, type } = member;
  const shownType = (type?.getText() ?? "").replaceAll("readonly ", "").replace(/\s+/g, " ");
  return `- \`${name.getText()}${questionToken === undefined ? "" : "?"}\`: \`${shownType}\`. ${textOf(member)}`;
}

/** The text of the comment, in one line, with the default. */
function textOf(member: ts.Node): string {
  const comment = ts.getTextOfJSDocComment(ts.getJSDocCommentsAndTags(member).find(ts.isJSDoc)?.comment) ?? "";
  const found = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === "default")?.comment;
  const value = ts.getTextOfJSDocComment(found);
  return `${comment}${value === undefined ? "" : ` Default: ${value}.`}`.replace(/\s+/g, " ");
}
