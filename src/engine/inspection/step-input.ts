/** What a step got: its fields with the values of their expressions, computed again from what is stored. */

import type { OpenConnection } from "../../connections/connections.ts";
import type { JsonValue } from "../../json.ts";
import type { InputMissing } from "../../runs/inspection/step-details.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { StepError } from "../step-error.ts";
import { hideIn, hideSecretFields } from "./hide-secrets.ts";
import { type StepView, scopeOf } from "./step-view.ts";

/** The input of a step, or why it is not known. */
export type StepInput = { readonly input: JsonValue } | { readonly missing: InputMissing };

/** Types whose input is data that the run shows anyway. */
const SHOWS_DATA: ReadonlySet<string> = new Set(["code", "input", "model", "workflow"]);

/** @param part Index of an item or a repetition. */
export async function inputOf(
  view: StepView,
  part: number | undefined,
  openConnection: OpenConnection,
): Promise<StepInput> {
  const { step, compiled, run } = view;
  const { executable } = compiled;
  if (run.state(view.index) === undefined) return { missing: "not_started" };
  if (run.shown(view.index).status === "skipped") return { missing: "skipped" };
  if (isPinned(view)) return { missing: "pinned" };
  if (executable.input === undefined) return { missing: step.auto === undefined ? "none" : "filled_by_model" };
  // Each item or repetition gets another one.
  if (part === undefined && run.results(view.index) !== undefined) return { missing: "item_required" };
  const scope = scopeIn(view, part);
  if (typeof scope === "string") return { missing: scope };
  const input = inputIn(executable.input, scope);
  if (input === undefined) return { missing: "invalid" };
  const shown = SHOWS_DATA.has(step.type) ? input : hideSecretFields(input);
  const connection = executable.kind === "effect" ? executable.connection : undefined;
  if (connection === undefined) return { input: shown };
  try {
    const { service, publicCredentials } = connection;
    const opened = await openConnection(run.document.app_id, connection.idOf(scope), service, publicCredentials);
    return { input: hideIn(shown, opened.hide) };
  } catch {
    return { missing: "connection_unavailable" }; // what is secret in it is unknown
  }
}

function isPinned({ compiled, step }: StepView): boolean {
  return compiled.executable.kind === "pure" && !["branch", "input", "note"].includes(step.type);
}

function scopeIn(view: StepView, part: number | undefined): ExpressionScope | InputMissing {
  try {
    return scopeOf(view, part);
  } catch (error) {
    return asInvalid(error);
  }
}

/** Undefined if an expression fails: the error of the step says why. */
function inputIn(input: (scope: ExpressionScope) => JsonValue, scope: ExpressionScope): JsonValue | undefined {
  try {
    return input(scope);
  } catch (error) {
    asInvalid(error);
    return undefined;
  }
}

function asInvalid(error: unknown): "invalid" {
  if (error instanceof StepError) return "invalid";
  throw error;
}
