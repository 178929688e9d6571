/** Services and actions that nobody has, named by a definition that may be of the wrong shape. Pure. */
import type { FieldError } from "../errors.ts";
import { isRecord, type JsonObject } from "../json.ts";

/** What there is of this name; or which of the names is unknown, and what it could be. */
export type FindAction = (
  service: string,
  action: string,
) =>
  | { readonly isKnown: true }
  | { readonly isKnown: false; readonly unknown: "service" | "action"; readonly message: string };

/** They are told beside what is wrong with the shape: who corrects the one should not meet the other afterwards. */
export function* unknownActions({ steps }: JsonObject, find: FindAction): Generator<FieldError, void> {
  if (!Array.isArray(steps)) return;
  for (const [index, step] of steps.entries()) {
    const call = isRecord(step) && step["type"] === "service" ? step["service"] : null;
    if (!isRecord(call) || typeof call["service"] !== "string") continue;
    const { action } = call;
    const found = find(call["service"], typeof action === "string" ? action : "");
    if (found.isKnown) continue;
    if (found.unknown === "service" || typeof action === "string") {
      yield { pointer: `/steps/${index}/service/${found.unknown}`, message: found.message };
    }
  }
}
