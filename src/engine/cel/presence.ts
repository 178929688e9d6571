/** `has(a.b)`: whether a map has a key. */
import { type ASTNode, type Environment, Optional } from "@marcbachmann/cel-js";
import { entryOf, isMap } from "./equality.ts";
import { type CelType, type Checker, type Macro, type MacroCall, replaceFunction } from "./library.ts";

export function registerHas(environment: Environment): void {
  replaceFunction(environment, "has(ast): bool", ({ ast, args: [field = ast] }: MacroCall): Macro => {
    return {
      async: false,
      typeCheck(checker, _macro, context) {
        const [map] = selection(checker, field);
        const type = checker.check(map, context);
        if (!mayHaveFields(type)) throw invalid(checker, field);
        return checker.getType("bool");
      },
      evaluate(evaluator, _macro, context) {
        const [node, key] = selection(evaluator, field);
        const given = evaluator.run(node, context);
        if (given instanceof Optional && !given.hasValue()) return false;
        const map = given instanceof Optional ? given.value() : given;
        return isMap(map) && entryOf(map, key) !== undefined;
      },
    };
  });
}

function selection(checker: Pick<Checker, "createError">, node: ASTNode): readonly [ASTNode, string] {
  if (node.op === "." || node.op === ".?") return node.args;
  throw invalid(checker, node);
}

function invalid(checker: Pick<Checker, "createError">, node: ASTNode): Error {
  return checker.createError("invalid_macro_argument", "has() needs the field of a map, such as has(input.name)", node);
}

function mayHaveFields({ kind, valueType }: CelType): boolean {
  return (
    kind === "dyn" || kind === "map" || (kind === "optional" && (valueType === undefined || mayHaveFields(valueType)))
  );
}
