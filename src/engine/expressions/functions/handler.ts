/** Shared by the functions of expressions. */
import { EvaluationError } from "@marcbachmann/cel-js";

export type Handler = (...args: never[]) => unknown;

/** Prefixes errors with the function's name. */
export function nameErrors(name: string, handler: Handler): Handler {
  return (...args) => {
    try {
      return Reflect.apply(handler, undefined, args);
    } catch (cause) {
      if (cause instanceof EvaluationError) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new EvaluationError({ code: "invalid_argument", message: `${name}(): ${reason}`, cause });
    }
  };
}
