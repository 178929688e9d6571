/** Implements `has(a.b)` and `has(a["b"])`, which check whether a map has a key. */
import { type ASTNode, type Environment, Optional } from "@marcbachmann/cel-js";
import { type CelType, type Checker, type Macro, type MacroCall, replaceFunction } from "./cel-internals.ts";
import { entryOf, isMap } from "./functions/equality.ts";

export function registerHas(environment: Environment): void {
  replaceFunction(environment, "has(ast): bool", ({ ast, args: [field = ast] }: MacroCall): Macro => {
    return {
      async: false,
      typeCheck(checker, _macro, context) {
        const [map, key] = selection(checker, field);
        const isText = typeof key === "string" || ["string", "dyn"].includes(checker.check(key, context).type);
        if (!isText || !mayHaveFields(checker.check(map, context))) throw invalid(checker, field);
        return checker.getType("bool");
      },
      evaluate(evaluator, _macro, context) {
        const [node, key] = selection(evaluator, field);
        const target = evaluator.run(node, context);
        if (target instanceof Optional && !target.hasValue()) return false;
        const map = target instanceof Optional ? target.value() : target;
        const name = typeof key === "string" ? key : evaluator.run(key, context);
        if (typeof name !== "string") throw invalid(evaluator, field);
        return isMap(map) && entryOf(map, name) !== undefined;
      },
    };
  });
}

/**
 * CEL doesn't allow brackets here. They are allowed because keys that are not identifiers have no other common syntax.
 */
function selection(checker: Pick<Checker, "createError">, node: ASTNode): readonly [ASTNode, string | ASTNode] {
  if (node.op === "." || node.op === ".?" || node.op === "[]" || node.op === "[?]") return node.args;
  throw invalid(checker, node);
}

function invalid(checker: Pick<Checker, "createError">, node: ASTNode): Error {
  return checker.createError(
    "invalid_macro_argument",
    'has() needs the field of a map, such as has(input.name) or has(input["first name"])',
    node,
  );
}

function mayHaveFields({ kind, valueType }: CelType): boolean {
  return (
    kind === "dyn" || kind === "map" || (kind === "optional" && (valueType === undefined || mayHaveFields(valueType)))
  );
}
