/** Finds unknown services and actions in a definition, even if its shape is invalid. Pure. */
import type { FieldError } from "../errors.ts";
import { isRecord, type JsonObject } from "../json.ts";

/** Whether the action is known; if not, which of the two names is unknown, and what is available instead. */
export type FindAction = (
  service: string,
  action: string,
) =>
  | { readonly isKnown: true }
  | { readonly isKnown: false; readonly unknown: "service" | "action"; readonly message: string };

/** Reported together with errors of the shape, so that authors can correct both at once. */
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
