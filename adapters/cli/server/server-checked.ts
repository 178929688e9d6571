/** Data that a person or a file provides for a call. */
import type { JsonObject } from "../../../src/json.ts";

/** The same data, as the argument of a function of the client. Only the server knows whether it is right, and says what is not. */
export function serverChecked<Argument extends object>(given: JsonObject): Argument;
export function serverChecked(given: JsonObject): object {
  return given;
}
