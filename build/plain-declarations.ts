/**
 * Writes out the types that declarations infer from schemas. `.declarations` says `interface App extends
 * v.InferOutput<typeof App>`, and what `typeof App` is: six times as long as its fields, without the comments of those that
 * other schemas share, and slow to check. Editors and compilers of users need the fields only. Optional fields accept
 * undefined there.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { acceptUndefined } from "./accept-undefined.ts";
import { createPrinter, isExported, type NamedTypes, type Printer } from "./print-type.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** A type of the source that is inferred from a schema. */
type Inferred = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

/** One with parameters is about schemas, and stays. */
const isInferred = (node: ts.Node): node is Inferred =>
  (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && !node.typeParameters && infers(node);
const infers = (node: ts.Node): boolean => /\bv\.Infer(?:Out|In)put<|\bkeyof typeof [A-Z]/.test(node.getText());

function openProgram(): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(join(ROOT, "tsconfig.declarations.json"), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic({ messageText }) {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
  });
  if (config === undefined) throw new Error("tsconfig.declarations.json cannot be read");
  // No schema needs the types of the DOM and of Node.js, which take most of the time to read.
  return ts.createProgram(config.fileNames, { ...config.options, lib: ["lib.es2023.d.ts"], types: [] });
}

const program = openProgram();
const checker = program.getTypeChecker();
const sources = program
  .getSourceFiles()
  .filter(({ fileName }) => /(?<!\.d)\.ts$/.test(fileName) && !fileName.includes("node_modules"));

const [found] = program
  .getSourceFiles()
  .filter(({ fileName }) => fileName.includes("node_modules/@standard-schema/spec/"))
  .flatMap(({ statements }) => statements.filter(ts.isInterfaceDeclaration))
  .filter(({ name }) => name.text === "StandardSchemaV1");
if (found === undefined) throw new Error("@standard-schema/spec declares no StandardSchemaV1");
const standardSchema = found;

/** The types that have names, so that other types name them, too. */
function namesOf(statements: readonly Inferred[]): NamedTypes {
  const named: NamedTypes = new Map();
  for (const statement of statements) {
    const nodes = ts.isTypeAliasDeclaration(statement) ? [statement.type] : basesOf(statement);
    const [only] = nodes;
    if (only === undefined || nodes.length > 1) continue;
    if (ts.isInterfaceDeclaration(statement) && statement.members.length > 0) continue;
    for (const node of [only, ...withoutReadonly(only)]) {
      const type = checker.getTypeAtLocation(node);
      const isNew = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Union)) !== 0 && !named.has(type);
      if (isNew) named.set(type, statement);
    }
  }
  return named;
}

const basesOf = ({ heritageClauses }: ts.InterfaceDeclaration): readonly ts.ExpressionWithTypeArguments[] =>
  (heritageClauses ?? []).flatMap(({ types }) => [...types]);

/** The result of a call is readonly; the same schema within another one is not, but has the same name. */
function withoutReadonly(node: ts.TypeNode | ts.ExpressionWithTypeArguments): readonly ts.TypeNode[] {
  const isReadonly = /^Readonly</.test(node.getText());
  return isReadonly && "typeArguments" in node ? [...(node.typeArguments ?? [])] : [];
}

function plain(statement: Inferred, named: NamedTypes): { readonly text: string; readonly uses: Printer["uses"] } {
  const printer = createPrinter(checker, named, statement, standardSchema);
  const { name } = statement;
  const exported = isExported(statement) ? "export " : "";
  if (ts.isTypeAliasDeclaration(statement)) {
    const type = checker.getTypeAtLocation(statement.type);
    return { text: `${exported}type ${name.text} = ${printer.type(type, "")};`, uses: printer.uses };
  }
  const kept = basesOf(statement).filter((base) => !infers(base));
  const inherited = kept.flatMap((base) => checker.getPropertiesOfType(checker.getTypeAtLocation(base)));
  const own = new Set(statement.members.map((member) => member.name?.getText()));
  const fields = basesOf(statement)
    .filter(infers)
    .flatMap((base) => printer.fields(checker.getTypeAtLocation(base), "    ", /^Readonly</.test(base.getText())))
    .filter((field) => !own.has(field.name) && !inherited.some((one) => one.name === field.name));
  const bases = kept.length === 0 ? "" : ` extends ${kept.map((base) => base.getText()).join(", ")}`;
  const members = [
    ...fields.map(({ text }) => text),
    ...statement.members.map((member) => `    ${member.getFullText().trim()}`),
  ];
  return { text: `${exported}interface ${name.text}${bases} {\n${members.join("\n")}\n}`, uses: printer.uses };
}

const builtPath = ({ fileName }: ts.SourceFile) =>
  join(ROOT, ".declarations", relative(ROOT, fileName).replace(/\.ts$/, ".d.ts"));

/** A part of a declaration file, and what replaces it. */
interface Edit {
  readonly target: ts.Node;
  readonly text: string;
  readonly uses: Printer["uses"];
}

/** Replaces types of a declaration file, and imports what they name. */
function rewrite(source: ts.SourceFile, named: NamedTypes): void {
  const path = builtPath(source);
  const built = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const edits = [...statementEdits(source, built, named), ...serviceEdits(source, built, named)];
  if (edits.length === 0) return;
  const known = new Set(built.statements.flatMap(declaredNames));
  const imports: string[] = [];
  for (const use of edits.flatMap(({ uses }) => [...uses])) {
    const name = use.name.text;
    const file = use.getSourceFile();
    if (file === source || known.has(name)) continue;
    known.add(name);
    imports.push(`import type { ${name} } from "${specifier(source, file)}";\n`);
  }
  const inOrder = edits.toSorted((one, other) => other.target.pos - one.target.pos);
  const text = inOrder.reduce(
    (before, { target, text: plain }) => before.slice(0, target.getStart()) + plain + before.slice(target.end),
    built.text,
  );
  writeFileSync(path, imports.join("") + text);
}

function specifier(from: ts.SourceFile, to: ts.SourceFile): string {
  if (to.fileName.includes("node_modules/@standard-schema/spec/")) return "@standard-schema/spec";
  const path = relative(dirname(from.fileName), to.fileName);
  return path.startsWith(".") ? path : `./${path}`;
}

function statementEdits(source: ts.SourceFile, built: ts.SourceFile, named: NamedTypes): Edit[] {
  return source.statements.filter(isInferred).flatMap((statement) => {
    const isSame = (one: ts.Statement) => one.kind === statement.kind && nameOf(one) === statement.name.text;
    const target = built.statements.find(isSame);
    // What a file neither exports nor uses in its exports has no declaration.
    return target === undefined ? [] : [{ target, ...plain(statement, named) }];
  });
}

/** Services and trigger types have schemas as type arguments, of which users need the values that they accept and return. */
function serviceEdits(source: ts.SourceFile, built: ts.SourceFile, named: NamedTypes): Edit[] {
  const originals = new Map(source.statements.flatMap(valuesOf).map((value) => [value.name.text, value]));
  return built.statements.flatMap(valuesOf).flatMap(({ name, type: target }) => {
    const original = originals.get(name.text);
    if (original === undefined || target === undefined || !hasSchemaArguments(target)) return [];
    const type = checker.getTypeAtLocation(original.name);
    const [signature] = type.getCallSignatures();
    const printer = createPrinter(checker, named, original.name, standardSchema);
    const text = printer.type(signature?.getReturnType() ?? type, "");
    return [{ target, text, uses: printer.uses }];
  });
}

const hasSchemaArguments = (type: ts.TypeNode) =>
  /^(?:import\("[^"]+"\)\.)?(?:ServiceOf|TriggerTypeOf)</.test(type.getText());

interface Value {
  readonly name: ts.Identifier;
  /** Of a function: the type of its result. */
  readonly type: ts.TypeNode | undefined;
}

function valuesOf(statement: ts.Statement): Value[] {
  if (ts.isFunctionDeclaration(statement)) {
    return statement.name === undefined ? [] : [{ name: statement.name, type: statement.type }];
  }
  if (!ts.isVariableStatement(statement)) return [];
  const { declarations } = statement.declarationList;
  return declarations.flatMap(({ name, type }) => (ts.isIdentifier(name) ? [{ name, type }] : []));
}

/** Schemas are values of the package, which it does not export. A schema stays if a type that stays is inferred from it. */
function removeUnusedSchemas(): void {
  const files = new Map(sources.map((source) => [builtPath(source), readFileSync(builtPath(source), "utf8")]));
  let all = "";
  const isUsed = (name: string) => new RegExp(`typeof ${name}\\b`).test(all);
  let removed: number;
  do {
    removed = 0;
    all = [...files.values()].join("\n");
    for (const [path, text] of files) {
      const built = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      const unused = built.statements.filter((one) => schemaNames(one).some((name) => !isUsed(name)));
      removed += unused.length;
      const rest = unused.toReversed().reduce((left, { pos, end }) => left.slice(0, pos) + left.slice(end), text);
      if (unused.length > 0) files.set(path, rest);
    }
  } while (removed > 0);
  for (const [path, text] of files) writeFileSync(path, text);
}

function schemaNames(statement: ts.Statement): readonly string[] {
  if (!ts.isVariableStatement(statement)) return [];
  const declared = statement.declarationList.declarations.filter(({ type }) => /\bv\.\w/.test(type?.getText() ?? ""));
  return declared.map(({ name }) => name.getText());
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isImportDeclaration(statement)) {
    const bindings = statement.importClause?.namedBindings;
    return bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : [];
  }
  const name = nameOf(statement);
  return name === undefined ? [] : [name];
}

function nameOf(node: ts.Node): string | undefined {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ? node.name.text : undefined;
}

const named = namesOf(sources.flatMap(({ statements }) => statements.filter(isInferred)));
for (const source of sources) rewrite(source, named);
removeUnusedSchemas();
for (const path of sources.map(builtPath)) writeFileSync(path, acceptUndefined(path, readFileSync(path, "utf8")));
