/** Checks arguments as functions in process do: as JSON, NaN would become null, which removes a field, and a Map `{}`. */
import { jsonProblem } from "../json.ts";
import { wrongField } from "./connection.ts";

/** @throws StepwellError `invalid` for anything but plain JSON. Properties that are undefined are omitted ones. */
export function checkJson(argument: unknown, within?: "query"): void {
  const problem = argument === undefined ? null : problemOf(argument);
  if (problem !== null) throw wrongField(problem.pointer, problem.message, within);
}

function problemOf(argument: unknown): ReturnType<typeof jsonProblem> {
  try {
    return jsonProblem(argument);
  } catch {
    return { pointer: "", message: "Must be plain JSON, not a value whose properties cannot be read." };
  }
}
