/** What a rule makes of a record: how its results begin, and what the run of its workflow says. Pure. */
import { cut } from "../../errors.ts";
import { isRecord, type JsonValue } from "../../json.ts";
import type { Run } from "../../runs/run.ts";
import type { Rule } from "../rule.ts";
import type { RuleResult } from "./record.ts";

/** The order in which rules run; those of one group run at the same time. */
export const EXECUTION_ORDER = ["before-all", "default", "after-all"] as const;

export type RuleOutcome = Pick<RuleResult, "result" | "error">;

/** Nothing is known yet; in the order in which the rules run. */
export function pendingResults(rules: readonly Rule[]): RuleResult[] {
  return EXECUTION_ORDER.flatMap((group) =>
    rules.filter((rule) => rule.execution_order === group && !rule.disabled),
  ).map(({ key, name }) => ({
    key,
    name,
    result: "PENDING",
    run_id: null,
    error: null,
    started_at: null,
    finished_at: null,
  }));
}

/** @param run As it ended. */
export function outcomeOf(rule: Rule, { id, status, output, error }: Run): RuleOutcome {
  if (status === "succeeded") return { result: hasPassed(output) ? rule.on_success : rule.on_fail, error: null };
  return errorOutcome(error?.code ?? status, error?.message ?? `The run ${id} was ${status}.`);
}

/** Characters of a message that a record keeps. */
const MAX_MESSAGE_CHARS = 4_000;

export function errorOutcome(code: string, message: string): RuleOutcome {
  return { result: "ERROR", error: { code, message: cut(message, MAX_MESSAGE_CHARS) } };
}

/** An object that says whether it passed is taken at its word; else what JavaScript calls true has passed. */
function hasPassed(output: JsonValue): boolean {
  return isRecord(output) && typeof output["passed"] === "boolean" ? output["passed"] : Boolean(output);
}
