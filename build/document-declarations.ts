/**
 * Restores comments in `.declarations`. When the compiler prints an inferred type, it keeps the comments of fields that
 * the same file declares and drops all others: a step spreads fields of step-policies.ts, and those would have no
 * documentation in editors. The types of the source know where each field is declared, so both are walked in parallel.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BUILT = join(ROOT, ".declarations/");

/** Comments to insert, by file and position. */
type Insertions = Map<string, Map<number, string>>;

/** Parts of valibot schemas that lead to no field, or again to the same ones. */
const SKIPPED = new Set(["~standard", "~run", "issue", "reference"]);

function createWalk(checker: ts.TypeChecker, insertions: Insertions) {
  const seen = new Set<ts.Type>();

  function walk(type: ts.Type, original: ts.Type): void {
    const [to, from] = [checker.getNonNullableType(type), checker.getNonNullableType(original)];
    if (seen.has(to)) return;
    seen.add(to);
    if (to.isUnion()) {
      const others = from.isUnion() ? from.types : [from];
      for (const one of to.types) {
        const match = others.find((other) => isSameShape(one, other));
        if (match !== undefined) walk(one, match);
      }
      return;
    }
    if ((to.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) return;
    walkTypeArguments(to, from);
    for (const field of checker.getPropertiesOfType(to)) walkField(field, from);
    for (const [index, signature] of to.getCallSignatures().entries()) {
      const other = from.getCallSignatures()[index];
      if (other !== undefined) walk(signature.getReturnType(), other.getReturnType());
    }
    for (const kind of [ts.IndexKind.String, ts.IndexKind.Number]) {
      const value = checker.getIndexTypeOfType(to, kind);
      const other = checker.getIndexTypeOfType(from, kind);
      if (value !== undefined && other !== undefined) walk(value, other);
    }
  }

  /** Lists and tuples, whose other properties are those of the language. */
  function walkTypeArguments(to: ts.Type, from: ts.Type): void {
    if (!isReference(to) || !isReference(from)) return;
    const others = checker.getTypeArguments(from);
    for (const [index, one] of checker.getTypeArguments(to).entries()) {
      const other = others[index];
      if (other !== undefined) walk(one, other);
    }
  }

  function walkField(field: ts.Symbol, from: ts.Type): void {
    if (SKIPPED.has(field.name) || !(field.declarations ?? []).every(isPrinted)) return;
    const original = checker.getPropertyOfType(from, field.name);
    if (original === undefined) return;
    const comment = commentOf(original);
    for (const declaration of field.declarations ?? []) {
      if (comment !== undefined && ts.isPropertySignature(declaration) && isUndocumented(declaration)) {
        const { fileName } = declaration.getSourceFile();
        const inFile = insertions.get(fileName) ?? new Map<number, string>();
        insertions.set(fileName, inFile.set(declaration.getStart(), comment));
      }
    }
    walk(checker.getTypeOfSymbol(field), checker.getTypeOfSymbol(original));
  }

  /** The variants of a union are compared by their fields and discriminants, because their order may differ. */
  function isSameShape(one: ts.Type, other: ts.Type): boolean {
    const [fields, others] = [checker.getPropertiesOfType(one), checker.getPropertiesOfType(other)];
    return (
      fields.length === others.length &&
      fields.every((field) => {
        const match = checker.getPropertyOfType(other, field.name);
        if (match === undefined) return false;
        const [type, original] = [checker.getTypeOfSymbol(field), checker.getTypeOfSymbol(match)];
        return !type.isLiteral() || (original.isLiteral() && type.value === original.value);
      })
    );
  }
  return walk;
}

const isReference = (type: ts.Type): type is ts.TypeReference =>
  (type.flags & ts.TypeFlags.Object) !== 0 && ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0; // as its flags say

/**
 * Whether the compiler has printed a field as a part of an inferred type, or the field leads to one as a part of a schema.
 * Interfaces and aliases of the source stay as they are, with their comments.
 */
function isPrinted(declaration: ts.Declaration): boolean {
  const { fileName } = declaration.getSourceFile();
  if (!fileName.startsWith(BUILT)) return /\/node_modules\/valibot\//.test(fileName);
  return (
    ts.findAncestor(declaration, (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) ===
    undefined
  );
}

const isUndocumented = (declaration: ts.PropertySignature) =>
  declaration.getSourceFile().fileName.startsWith(BUILT) && textOf(declaration) === undefined;

function commentOf({ declarations = [] }: ts.Symbol): string | undefined {
  return declarations.map(textOf).find((text) => text !== undefined);
}

function textOf(declaration: ts.Declaration): string | undefined {
  return ts.getJSDocCommentsAndTags(declaration).findLast(ts.isJSDoc)?.getText();
}

interface Value {
  readonly name: ts.Identifier;
  readonly statement: ts.Statement;
}

/** The variables and functions of a file, whose types the compiler may have inferred. */
function valuesOf({ statements }: ts.SourceFile): Value[] {
  return statements.flatMap((statement): Value[] => {
    if (ts.isFunctionDeclaration(statement)) return statement.name ? [{ name: statement.name, statement }] : [];
    if (!ts.isVariableStatement(statement)) return [];
    const names = statement.declarationList.declarations.map(({ name }) => name);
    return names.filter(ts.isIdentifier).map((name) => ({ name, statement }));
  });
}

function hasUndocumented(node: ts.Node): boolean {
  if (ts.isPropertySignature(node) && isUndocumented(node)) return true;
  return ts.forEachChild(node, (child) => hasUndocumented(child) || undefined) ?? false;
}

/** In time that grows with the length of the text: some files have megabytes and a thousand comments. */
function withComments(text: string, comments: ReadonlyMap<number, string>): string {
  const pieces: string[] = [];
  let done = 0;
  for (const [position, comment] of [...comments].sort(([one], [other]) => one - other)) {
    const before = text.slice(done, position);
    const indentation = before.slice(before.trimEnd().length).split("\n").at(-1) ?? "";
    const lines = comment.split("\n").map((line, at) => (at === 0 ? line : `${indentation} ${line.trim()}`));
    pieces.push(before, lines.join("\n"), "\n", indentation);
    done = position;
  }
  return pieces.join("") + text.slice(done);
}

const config = ts.getParsedCommandLineOfConfigFile(join(ROOT, "tsconfig.declarations.json"), undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic({ messageText }) {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
  },
});
if (config === undefined) throw new Error("tsconfig.declarations.json cannot be read");
const builtPath = (file: string) => join(BUILT, file.slice(ROOT.length).replace(/\.ts$/, ".d.ts"));
const program = ts.createProgram([...config.fileNames, ...config.fileNames.map(builtPath)], {
  ...config.options,
  // No field needs the types of the DOM and of Node.js, which take most of the time to read.
  lib: ["lib.es2023.d.ts"],
  types: [],
});
const checker = program.getTypeChecker();
const insertions: Insertions = new Map();
const walk = createWalk(checker, insertions);
for (const file of config.fileNames) {
  const [from, to] = [program.getSourceFile(file), program.getSourceFile(builtPath(file))];
  if (from === undefined || to === undefined) throw new Error(`${file} has no declarations`);
  const originals = new Map(valuesOf(from).map(({ name }) => [name.text, name]));
  for (const { name, statement } of valuesOf(to)) {
    const original = originals.get(name.text);
    if (original === undefined || !hasUndocumented(statement)) continue;
    walk(checker.getTypeAtLocation(name), checker.getTypeAtLocation(original));
  }
}
for (const [file, comments] of insertions) writeFileSync(file, withComments(readFileSync(file, "utf8"), comments));
