/** Prints a type as a user would write it: its fields with their comments, and the names of types that have one. */
import ts from "typescript";

export type NamedStatement = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

/** Types by the statements that name them. */
export type NamedTypes = Map<ts.Type, NamedStatement>;

export interface Field {
  readonly name: string;
  readonly text: string;
}

export interface Printer {
  type(type: ts.Type, indentation: string): string;
  fields(type: ts.Type, indentation: string, isReadonly?: boolean): Field[];
  /** The statements whose names were printed. */
  readonly uses: ReadonlySet<NamedStatement>;
}

const FORMAT = ts.TypeFormatFlags.NoTruncation;
const STEP = "    ";

/**
 * @param own The statement to print: its own name says nothing.
 * @param standardSchema The interface that takes the place of schemas.
 */
export function createPrinter(
  checker: ts.TypeChecker,
  named: NamedTypes,
  own: ts.Node,
  standardSchema: NamedStatement,
): Printer {
  const uses = new Set<NamedStatement>();

  function use(statement: NamedStatement): string {
    uses.add(statement);
    return statement.name.text;
  }

  function print(type: ts.Type, indentation: string, isWhole = false): string {
    const schema = schemaTypes(type);
    if (schema !== null)
      return `${use(schema.statement)}<${schema.types.map((one) => print(one, indentation)).join(", ")}>`;
    const statement = isWhole && !isReference(type) ? undefined : nameFor(type);
    if (statement !== undefined) return use(statement) + typeArguments(type, indentation);
    if (type.isUnion()) return union(type.types, indentation, isWhole);
    if (checker.isArrayType(type)) return array(type, indentation);
    if (!isPlainObject(type)) return checker.typeToString(type, own, FORMAT);
    const known = fields(type, indentation + STEP).map(({ text }) => text);
    const others = indexes(type, indentation, known.length > 0);
    // In one object, the known fields would have to be of the type of the others.
    const parts = [known, others].filter((members) => members.length > 0);
    return parts.map((members) => `{\n${members.join("\n")}\n${indentation}}`).join(" & ") || "{}";
  }

  /** The statement of the source that names a type. */
  function nameFor(type: ts.Type): NamedStatement | undefined {
    const found = named.get(type);
    if (found !== undefined && found !== own && isExported(found)) return found;
    const declarations = [...(type.aliasSymbol?.declarations ?? []), ...(type.symbol?.declarations ?? [])];
    return declarations.filter(isNamedStatement).find((one) => one !== own && isOfSource(one) && isExported(one));
  }

  /** What a schema accepts and returns. */
  function schemaTypes(type: ts.Type): { readonly statement: NamedStatement; readonly types: ts.Type[] } | null {
    const types = type.getProperty("~types");
    if (types === undefined) return null;
    const both = checker.getNonNullableType(checker.getTypeOfSymbol(types));
    const of = ["input", "output"].map((name) => both.getProperty(name));
    return {
      statement: standardSchema,
      types: of.flatMap((one) => (one === undefined ? [] : [checker.getTypeOfSymbol(one)])),
    };
  }

  function typeArguments(type: ts.Type, indentation: string): string {
    if (named.has(type)) return "";
    const all = type.aliasTypeArguments ?? (isReference(type) ? checker.getTypeArguments(type) : []);
    // The last argument of an interface may be the type of `this`.
    const given = all.slice(0, nameFor(type)?.typeParameters?.length ?? 0);
    return given.length === 0 ? "" : `<${given.map((one) => print(one, indentation)).join(", ")}>`;
  }

  /** Names the unions that it contains, such as all types of steps. */
  function union(members: readonly ts.Type[], indentation: string, isWhole = false): string {
    const parts: string[] = [];
    let rest = [...members];
    for (const [type, statement] of isWhole ? [] : named) {
      if (!type.isUnion() || statement === own || !type.types.every((one) => rest.includes(one))) continue;
      rest = rest.filter((one) => !type.types.includes(one));
      parts.push(use(statement));
    }
    const isLiteral = ({ flags }: ts.Type) => (flags & ts.TypeFlags.BooleanLiteral) !== 0;
    if (rest.filter(isLiteral).length === 2) {
      rest = rest.filter((one) => !isLiteral(one));
      parts.push("boolean");
    }
    const printed = rest.map((one) => print(one, indentation));
    return [...new Set([...parts, ...printed])].map((one) => (one.includes("=>") ? `(${one})` : one)).join(" | ");
  }

  function array(type: ts.Type, indentation: string): string {
    const [item] = isReference(type) ? checker.getTypeArguments(type) : [];
    const text = item === undefined ? "unknown" : print(item, indentation);
    const isUnion = item?.isUnion() === true && text.includes(" | ");
    return `${type.symbol.name === "ReadonlyArray" ? "readonly " : ""}${isUnion ? `(${text})` : text}[]`;
  }

  /** @param isBeside Whether there are fields, too, which may be undefined. */
  function indexes(type: ts.Type, indentation: string, isBeside: boolean): string[] {
    return checker.getIndexInfosOfType(type).map(({ keyType, type: value, isReadonly }) => {
      const key = `${isReadonly ? "readonly " : ""}[key: ${checker.typeToString(keyType)}]`;
      const text = print(value, indentation + STEP);
      return `${indentation}${STEP}${key}: ${text}${isBeside ? " | undefined" : ""};`;
    });
  }

  function fields(type: ts.Type, indentation: string, isReadonly = false): Field[] {
    return checker.getPropertiesOfType(type).map((field) => {
      const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0;
      const name = /^[A-Za-z_$][\w$]*$/.test(field.name) ? field.name : JSON.stringify(field.name);
      const value = checker.getTypeOfSymbol(field);
      const shown =
        isOptional && value.isUnion() ? union(value.types.filter(isPresent), indentation) : print(value, indentation);
      const signature = `${isReadonly ? "readonly " : ""}${name}${isOptional ? "?" : ""}: ${shown};`;
      return { name: field.name, text: `${comment(field, indentation)}${indentation}${signature}` };
    });
  }

  /** An optional field may be missing, which is no undefined value (`exactOptionalPropertyTypes`). */
  function isPresent(type: ts.Type): boolean {
    return (type.flags & ts.TypeFlags.Undefined) === 0 || type === checker.getUndefinedType();
  }

  return { type: (type, indentation) => print(type, indentation, true), fields, uses };
}

/** An object of fields: no function, no class, nothing of a library. */
function isPlainObject(type: ts.Type): boolean {
  if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) return false;
  if (type.getCallSignatures().length > 0 || isReference(type)) return false;
  return !(type.symbol?.declarations ?? []).some((one) => ts.isClassDeclaration(one) || ts.isInterfaceDeclaration(one));
}

const isReference = (type: ts.Type): type is ts.TypeReference =>
  (type.flags & ts.TypeFlags.Object) !== 0 && ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0; // as its flags say

const isNamedStatement = (node: ts.Node): node is NamedStatement =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);

const isOfSource = (node: ts.Node) => !/node_modules/.test(node.getSourceFile().fileName);

export const isExported = ({ modifiers }: NamedStatement) =>
  modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

function comment({ declarations = [] }: ts.Symbol, indentation: string): string {
  const [text] = declarations.flatMap((one) => ts.getJSDocCommentsAndTags(one).filter(ts.isJSDoc).slice(-1));
  if (text === undefined) return "";
  const lines = text
    .getText()
    .split("\n")
    .map((line, at) => (at === 0 ? line : ` ${line.trim()}`));
  return `${lines.map((line) => indentation + line).join("\n")}\n`;
}
