/** The results of rules for a record: initially, and after the run of the workflow. Pure. */
import { cut, isStepwellError } from "../../../errors.ts";
import { isRecord, type JsonValue } from "../../../json.ts";
import type { Run } from "../../../runs/run.ts";
import { DescendantLimitError, type Nesting } from "../../../runs/run-executor.ts";
import type { Rule } from "../../rule.ts";
import type { RuleResult, StoredResult } from "../record.ts";
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

/**
 * The results after a change: of rules that are due, pending ones; of the others, those that they had, or the runs that will
 * have them.
 * @param writer Where the write is nested.
 */
export function resultsAfterChange(
  before: readonly StoredResult[],
  rules: readonly Rule[],
  writer: Nesting,
  basisOf: BasisOf,
): StoredResult[] {
  const knownOf = new Map(before.map((result) => [result.key, result]));
  const ruleOf = new Map(rules.map((rule) => [rule.key, rule]));
  return pendingResults(rules).map((pending) => {
    const known = knownOf.get(pending.key);
    const rule = ruleOf.get(pending.key);
    if (known === undefined || rule === undefined) return pending;
    const isKept = known.basis !== undefined && known.basis === basisOf(rule);
    return isKept ? { ...known, name: pending.name } : superseding(pending, known, writer);
  });
}

/** The results if all rules run again. */
export function resultsAfterReset(
  before: readonly StoredResult[],
  rules: readonly Rule[],
  writer: Nesting,
): StoredResult[] {
  return resultsAfterChange(before, rules, writer, () => undefined);
}

/**
 * A run for an earlier version of the record is canceled. Otherwise a slow one could overwrite what a later run has written.
 * A run that wrote the new version itself, or whose descendant did, continues: it may have more to do.
 */
function superseding(pending: StoredResult, known: StoredResult, writer: Nesting): StoredResult {
  if (known.result !== "PENDING") return pending;
  const { superseded_run_id = null } = known;
  const outdated = known.run_id === null || isWithin(writer, known) ? superseded_run_id : known.run_id;
  return outdated === null ? pending : { ...pending, superseded_run_id: outdated };
}

/** Whether something is nested in the run of a result, or may be. */
export function isWithin(inner: Nesting, { nesting }: StoredResult): boolean {
  return nesting !== undefined && inner.root_run_id === nesting.root_run_id && inner.depth > nesting.depth;
}

/** The result as callers see it. */
export function resultView(result: StoredResult): RuleResult {
  const { basis: _basis, nesting: _nesting, superseded_run_id: _superseded, ...view } = result;
  return view;
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
  return errorOutcome("internal", "The rule failed to start. See the server log for the cause.");
}

/** If an object has `passed`, it must be true: not what an expression made of a missing field. */
function hasPassed(output: JsonValue): boolean {
  return isRecord(output) && Object.hasOwn(output, "passed") ? output["passed"] === true : Boolean(output);
}
