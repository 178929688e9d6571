/** The results of rules for a record: initially, and after the run of the workflow. Pure. */
import { cut } from "../../errors.ts";
import { isRecord, type JsonValue } from "../../json.ts";
import type { Run } from "../../runs/run.ts";
import type { Rule } from "../rule.ts";
import type { RuleResult } from "./record.ts";

/** The order in which rules run. Rules of one group run in parallel. */
export const EXECUTION_ORDER = ["before-all", "default", "after-all"] as const;

export type RuleOutcome = Pick<RuleResult, "result" | "error">;

/** The initial results, in the order in which the rules run. */
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

/** @param run The run after its end. */
export function outcomeOf(rule: Rule, { id, status, output, error }: Run): RuleOutcome {
  if (status === "succeeded") return { result: hasPassed(output) ? rule.on_success : rule.on_fail, error: null };
  return errorOutcome(error?.code ?? status, error?.message ?? `The run ${id} was ${status}.`);
}

/** Characters of a message that a record stores. */
const MAX_MESSAGE_CHARS = 4_000;

export function errorOutcome(code: string, message: string): RuleOutcome {
  return { result: "ERROR", error: { code, message: cut(message, MAX_MESSAGE_CHARS) } };
}

/** `passed` of an object decides if it is a boolean, otherwise whether JavaScript treats the output as true. */
function hasPassed(output: JsonValue): boolean {
  return isRecord(output) && typeof output["passed"] === "boolean" ? output["passed"] : Boolean(output);
}
