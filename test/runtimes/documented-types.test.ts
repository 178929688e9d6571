/** The declarations of the built package document each field, as editors show them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { root } from "./build.ts";

const manifest: { readonly exports: Readonly<Record<string, { readonly types?: string }>> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const entries = Object.values(manifest.exports).flatMap(({ types }) =>
  types === undefined ? [] : [join(root, types)],
);
const program = ts.createProgram(entries, {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
});
const checker = program.getTypeChecker();

const isOurs = ({ declarations = [] }: ts.Symbol) =>
  declarations.some((one) => one.getSourceFile().fileName.startsWith(join(root, "dist/")));
/** `~standard` of schemas, and symbols, which editors don't suggest. */
const isHidden = ({ name }: ts.Symbol) => name.startsWith("~") || name.startsWith("__@");
const isObject = (type: ts.Type): type is ts.ObjectType => (type.flags & ts.TypeFlags.Object) !== 0;
const isReference = (type: ts.Type): type is ts.TypeReference =>
  isObject(type) && (type.objectFlags & ts.ObjectFlags.Reference) !== 0;

/** All fields below the exports of a file, with a path that leads to each, and whether they have a comment. */
function fieldsOf(entry: string): { readonly path: string; readonly isDocumented: boolean }[] {
  const found: { path: string; isDocumented: boolean }[] = [];
  const seen = new Set<ts.Type>();

  function walk(type: ts.Type, path: string): void {
    if (seen.has(type)) return;
    seen.add(type);
    if (type.isUnion()) for (const one of type.types) walk(one, path);
    if (isReference(type)) for (const one of checker.getTypeArguments(type)) walk(one, path);
    if (!isObject(type) && !type.isIntersection()) return;
    for (const kind of [ts.IndexKind.String, ts.IndexKind.Number]) {
      const value = checker.getIndexTypeOfType(type, kind);
      if (value !== undefined) walk(value, `${path}.*`);
    }
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      walk(signature.getReturnType(), `${path}()`);
      for (const given of signature.getParameters()) walk(checker.getTypeOfSymbol(given), `${path}(${given.name})`);
    }
    for (const field of checker.getPropertiesOfType(type)) {
      if (!isOurs(field) || isHidden(field)) continue;
      const text = ts.displayPartsToString(field.getDocumentationComment(checker));
      found.push({ path: `${path}.${field.name}`, isDocumented: text !== "" });
      walk(checker.getTypeOfSymbol(field), `${path}.${field.name}`);
    }
  }

  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  for (const one of module === undefined ? [] : checker.getExportsOfModule(module)) {
    const symbol = (one.flags & ts.SymbolFlags.Alias) === 0 ? one : checker.getAliasedSymbol(one);
    if ((symbol.flags & ts.SymbolFlags.Type) !== 0) walk(checker.getDeclaredTypeOfSymbol(symbol), one.name);
    if ((symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class)) !== 0)
      walk(checker.getTypeOfSymbol(symbol), one.name);
  }
  return found;
}

describe("the declarations in the package", () => {
  it("are found with the fields of workflows, whose types are inferred from schemas", () => {
    const paths = fieldsOf(join(root, "dist/index.d.ts")).map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(2_000);
    expect(paths.some((path) => path.endsWith(".retry.max_attempts"))).toBe(true);
    expect(paths.some((path) => path.endsWith(".settings.concurrency.limit"))).toBe(true);
  });

  it.each(entries.map((entry) => entry.slice(root.length)))("%s documents every field", (entry) => {
    const missing = fieldsOf(join(root, entry)).filter(({ isDocumented }) => !isDocumented);
    expect([...new Set(missing.map(({ path }) => path))]).toEqual([]);
  });
});
