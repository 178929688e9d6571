/**
 * The comments of the source, as the texts of the reference: editors show the same sentences.
 *
 * A schema object has no comments, but its type knows where each field is declared. So the schemas and their types are
 * walked in parallel.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import type * as v from "valibot";
import { isRecord } from "../../../src/json.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A comment: its text without tags, and its tags by name. */
export interface Comment {
  readonly text: string;
  readonly tags: Readonly<Record<string, readonly string[]>>;
}

export interface NamedSchema {
  readonly name: string;
  readonly schema: v.GenericSchema;
}

export interface SourceComments {
  /** The exported schemas of the source, by the names of their constants. */
  readonly schemas: readonly NamedSchema[];
  /** Comment of the type or, without one, of the constant with a name. */
  ofType(name: string): Comment | undefined;
  /** Comments of the fields of an object schema. */
  ofFields(schema: v.GenericSchema): Readonly<Record<string, Comment>>;
  /**
   * Comment of a function of `stepwell.*`, as `Api` declares it.
   * @param name Such as `runs.create`.
   */
  ofFunction(name: string): Comment | undefined;
  /** Takes over the comments of the last argument of a function for a schema of its body or query that has none. */
  addOptions(name: string, schema: v.GenericSchema): void;
  /** Comment of a group of functions, such as `runs`. */
  ofGroup(name: string): Comment | undefined;
}

/** Reads the files that the entry imports, and loads those that export schemas. */
export async function readSourceComments(entry: string): Promise<SourceComments> {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  // Comments need no types of the DOM and of Node.js, which take most of the time to read.
  const program = ts.createProgram([join(ROOT, entry)], { ...options, lib: ["lib.es2023.d.ts"], types: [] });
  const checker = program.getTypeChecker();
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(join(ROOT, "src/")));

  const types = new Map<string, ts.Type>();
  const typeComments = new Map<string, Comment>();
  const constants: { name: string; initializer: ts.Expression; file: string }[] = [];
  const note = (name: string, symbol: ts.Symbol | undefined) => {
    const comment = commentOf(symbol, checker);
    if (comment !== undefined && !typeComments.has(name)) typeComments.set(name, comment);
  };
  for (const file of files) {
    for (const statement of file.statements) {
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
        const name = statement.name.text;
        note(name, checker.getSymbolAtLocation(statement.name));
        types.set(name, types.get(name) ?? checker.getTypeAtLocation(statement.name));
      }
      if (!ts.isVariableStatement(statement) || !isExported(statement)) continue;
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (initializer === undefined || !ts.isIdentifier(name)) continue;
        note(name.text, checker.getSymbolAtLocation(name));
        constants.push({ name: name.text, initializer, file: file.fileName });
      }
    }
  }

  const fields = new Map<object, Record<string, Comment>>();
  const walk = createWalk(checker, fields);
  const schemas: NamedSchema[] = [];
  for (const { name, initializer, file } of constants) {
    const value: unknown = (await import(file))[name];
    if (!isSchema(value)) continue;
    walk(value, checker.getTypeAtLocation(initializer), types.get(name));
    schemas.push({ name, schema: value });
  }
  const api = types.get("Api");
  const groupOf = (name: string) => api?.getProperty(name);
  const functionOf = (path: string) => {
    const [group = "", name = ""] = path.split(".");
    const owner = groupOf(group);
    return owner === undefined ? undefined : checker.getTypeOfSymbol(owner).getProperty(name);
  };

  return {
    schemas,
    ofType: (name) => typeComments.get(name),
    ofFields: (schema) => ("entries" in schema && isRecord(schema.entries) ? (fields.get(schema.entries) ?? {}) : {}),
    ofGroup: (name) => commentOf(groupOf(name), checker),
    ofFunction: (name) => commentOf(functionOf(name), checker),
    addOptions(name, schema) {
      const symbol = functionOf(name);
      const [signature] = symbol === undefined ? [] : checker.getTypeOfSymbol(symbol).getCallSignatures();
      const last = signature?.getParameters().at(-1);
      if (last !== undefined) createWalk(checker, fields)(schema, undefined, checker.getTypeOfSymbol(last));
    },
  };
}

/** Walks a schema and its type in parallel, and collects the comments of the fields of its objects. */
function createWalk(checker: ts.TypeChecker, fields: Map<object, Record<string, Comment>>) {
  const seen = new Set<unknown>();

  const member = (type: ts.Type | undefined, name: string) => {
    const symbol = type === undefined ? undefined : checker.getPropertyOfType(type, name);
    return symbol === undefined ? undefined : checker.getTypeOfSymbol(symbol);
  };

  /** @param data Type of the values, whose declaration may have comments that the schema does not repeat. */
  function walk(schema: unknown, type: ts.Type | undefined, data: ts.Type | undefined): void {
    if (!isSchema(schema) || seen.has(schema)) return;
    seen.add(schema);
    const values = data === undefined ? undefined : checker.getNonNullableType(data);
    const parts = schema as unknown as Readonly<Record<string, unknown>>; // each kind of schema has other members
    if (isRecord(parts["entries"])) walkEntries(parts["entries"], member(type, "entries"), values);
    for (const name of ["wrapped", "key"]) walk(parts[name], member(type, name), data);
    walk(parts["item"], member(type, "item"), values?.getNumberIndexType());
    walk(parts["value"], member(type, "value"), values?.getStringIndexType());
    for (const name of ["options", "items", "pipe"]) {
      const some = parts[name];
      if (!Array.isArray(some)) continue;
      const types = member(type, name);
      some.forEach((one, index) => {
        walk(one, member(types, String(index)), name === "pipe" ? data : undefined);
      });
    }
  }

  function walkEntries(entries: object, type: ts.Type | undefined, data: ts.Type | undefined): void {
    const found = fields.get(entries) ?? {};
    fields.set(entries, found);
    for (const [name, schema] of Object.entries(entries)) {
      const value = data === undefined ? undefined : checker.getPropertyOfType(data, name);
      const entry = type === undefined ? undefined : checker.getPropertyOfType(type, name);
      const comment = found[name] ?? commentOf(entry, checker) ?? commentOf(value, checker);
      if (comment !== undefined) found[name] = comment;
      walk(
        schema,
        entry === undefined ? undefined : checker.getTypeOfSymbol(entry),
        value === undefined ? undefined : checker.getTypeOfSymbol(value),
      );
    }
  }
  return walk;
}

function commentOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): Comment | undefined {
  if (symbol === undefined) return undefined;
  const text = plain(symbol.getDocumentationComment(checker));
  const tags: Record<string, string[]> = {};
  for (const tag of symbol.getJsDocTags(checker)) {
    tags[tag.name] = [...(tags[tag.name] ?? []), plain(tag.text ?? [])];
  }
  return text === "" && Object.keys(tags).length === 0 ? undefined : { text, tags };
}

/** Lines of a comment are broken for the width of the source. Empty lines and lists keep their meaning. */
function plain(parts: readonly ts.SymbolDisplayPart[]): string {
  const text = ts.displayPartsToString([...parts]).replace(/\{@link ([^}]+)\}/g, "$1");
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\s*\n(?!\s*-)\s*/g, " "))
    .join("\n\n");
}

function isExported(node: ts.VariableStatement): boolean {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function isSchema(value: unknown): value is v.GenericSchema {
  return isRecord(value) && value["kind"] === "schema";
}
