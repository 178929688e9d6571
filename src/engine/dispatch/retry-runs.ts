/** Retries ended runs, on their version or on another one. */
import { StepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Change, DerivedChange, Store } from "../../ports/store.ts";
import type { Executor, RetryOptions } from "../../runs/run-executor.ts";
import { instant } from "../../time/iso.ts";
import type { Plan } from "../compile/plan.ts";
import type { VersionCache } from "../compile/version-cache.ts";
import type { RunRegistry } from "../run-registry.ts";
import { indexOfStart, type Replay } from "../state/replay.ts";
import { prepareRetry } from "../state/retry-run.ts";
import { namesChildren, type RunDocument } from "../state/run-document.ts";
import { getRun } from "../state/run-snapshot.ts";
import type { VersionUses } from "../state/version-uses.ts";
import { closingError } from "../step-error.ts";
import type { BeginRuns } from "./begin-runs.ts";
import type { ParentRuns } from "./parent-runs.ts";
import type { Quarantine } from "./quarantine.ts";

export function createRetryRun(parts: {
  store: Store;
  clock: Clock;
  runs: RunRegistry;
  replay: Replay;
  compiled: VersionCache;
  quarantine: Quarantine;
  parents: ParentRuns;
  beginRuns: BeginRuns;
  versionUses: VersionUses;
}): Executor["retry"] {
  const { store, clock, runs, replay, compiled, quarantine, parents, beginRuns, versionUses } = parts;

  async function planOn({ start }: RunDocument, { version }: NonNullable<RetryOptions["on"]>): Promise<Plan> {
    const index = indexOfStart(version, start);
    if (start !== null && index === undefined) {
      const key = JSON.stringify(start);
      throw new StepwellError(
        "conflict",
        `The run started at the step ${key}, which version ${version.version} does not have.`,
      );
    }
    return (await compiled.get(version)).plan(index);
  }

  return async (runId, { by, on, from_step } = {}) => {
    await quarantine.untilPlanned();
    if (runs.isClosed()) throw closingError();
    const { document } = await getRun(store, runId);
    if (by !== undefined && by === document.retried_by) return;
    if (namesChildren(document)) await parents.cancelChildren(runId);
    const found = await getRun(store, runId);
    const planned = await replay.plan(found.document);
    if (!planned.ok) throw new StepwellError("conflict", `The run cannot be retried: ${planned.error.message}`);
    const before = planned.plan;
    const after = on === undefined ? before : await planOn(found.document, on);
    const trigger = { by, version: on };
    const prepared = prepareRetry(found, { before, after, from_step }, instant(clock.now()), trigger);
    await beginRuns.retry(found, prepared.document, (decided) => {
      const commit = (more: readonly (Change | DerivedChange)[] = []) =>
        store.commit([...decided, ...prepared.changes, ...more]);
      return on === undefined ? commit() : versionUses.storeRun(on.version, commit, found.document);
    });
  };
}
