/** The results of rules for a record: initially, and after the run of the workflow. Pure. */
import { cut, isStepwellError } from "../../errors.ts";
import { isRecord, type JsonValue } from "../../json.ts";
import type { Run } from "../../runs/run.ts";
import { DescendantLimitError } from "../../runs/run-executor.ts";
import type { Rule } from "../rule.ts";
import type { RuleResult, StoredResult } from "./record.ts";
import type { BasisOf } from "./rule-basis.ts";

/** The order in which rules run. Rules of one group run in parallel. */
export const EXECUTION_ORDER = ["before-all", "default", "after-all"] as const;

export type RuleOutcome = Pick<RuleResult, "result" | "error">;

const PENDING = { result: "PENDING", run_id: null, error: null, started_at: null, finished_at: null } as const;

/** The results before the rules run, in the order in which they run: all pending. */
export function pendingResults(rules: readonly Rule[]): StoredResult[] {
  return EXECUTION_ORDER.flatMap((group) =>
    rules.filter((rule) => rule.execution_order === group && !rule.disabled),
  ).map(({ key, name }) => ({ key, name, ...PENDING }));
}

/** The results after a change: of rules that are due, pending ones; of the others, those that they had. */
export function resultsAfterChange(
  before: readonly StoredResult[],
  rules: readonly Rule[],
  basisOf: BasisOf,
): StoredResult[] {
  const settled = new Map(before.filter(({ result }) => result !== "PENDING").map((result) => [result.key, result]));
  const ruleOf = new Map(rules.map((rule) => [rule.key, rule]));
  return pendingResults(rules).map((pending) => {
    const known = settled.get(pending.key);
    const rule = ruleOf.get(pending.key);
    if (known?.basis === undefined || rule === undefined || known.basis !== basisOf(rule)) return pending;
    return { ...known, name: pending.name };
  });
}

/** The result as callers see it. */
export function resultView({ basis: _, ...result }: StoredResult): RuleResult {
  return result;
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

/** The result if retrying is pointless: the workflow was deleted, never deployed, or does not accept the record. */
export function refusedOutcome(error: unknown): RuleOutcome {
  if (isStepwellError(error)) return errorOutcome(error.code, error.publicDetail ?? error.code);
  if (error instanceof DescendantLimitError) return errorOutcome(error.code, error.message);
  return errorOutcome("internal", "The rule could not be run. The log has the cause.");
}

/** `passed` of an object decides if it is a boolean, otherwise whether JavaScript treats the output as true. */
function hasPassed(output: JsonValue): boolean {
  return isRecord(output) && typeof output["passed"] === "boolean" ? output["passed"] : Boolean(output);
}
