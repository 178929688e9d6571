/**
 * Rebuilds a stored run's progress by settling the outcomes in its journal in their original order. A step that was in
 * progress when the process died has no outcome, so it is ready again.
 */
import type { RunError } from "../../runs/run.ts";
import type { Version } from "../../workflows/version.ts";
import type { Plan } from "../compile/plan.ts";
import type { VersionCache } from "../compile/version-cache.ts";

import { drainReadyTasks } from "../progress/drain-ready-tasks.ts";
import { Progress } from "../progress/progress.ts";
import type { Task } from "../progress/task.ts";
import { asRunError } from "../step-error.ts";
import { baseScope } from "./base-scope.ts";
import type { JournalEntry } from "./journal.ts";
import { hasNeverBegun, type RunDocument } from "./run-document.ts";

export interface Replayed {
  readonly ok: true;
  readonly plan: Plan;
  readonly progress: Progress;
  /** The tasks to execute next. */
  readonly ready: readonly Task[];
}

export interface Planned {
  readonly ok: true;
  readonly plan: Plan;
}

/** Why a run can no longer be executed, such as a deleted version. */
export interface NotReplayable {
  readonly ok: false;
  readonly error: RunError;
}

export interface Replay {
  /** Returns the plan of a run, or why the run can no longer be executed. */
  plan(document: RunDocument): Promise<Planned | NotReplayable>;
  /** Returns the progress of a run with these outcomes, or why it can no longer be determined. */
  run(document: RunDocument, entries: readonly JournalEntry[]): Promise<Replayed | NotReplayable>;
}

export function createReplay(parts: {
  compiled: VersionCache;
  findVersion(versionId: string): Promise<Version | null>;
}): Replay {
  const { compiled, findVersion } = parts;

  async function plan({ workflow_version_id, start }: RunDocument): Promise<Planned | NotReplayable> {
    const version = await findVersion(workflow_version_id);
    if (version === null) return { ok: false, error: versionMissingError() };
    const found = await compiled.get(version);
    const [problem] = found.problems;
    if (problem !== undefined) {
      const error = asRunError({ code: "invalid_version", message: `${problem.pointer}: ${problem.message}` });
      return { ok: false, error };
    }
    return { ok: true, plan: found.plan(indexOfStart(version, start)) };
  }

  return {
    plan,
    async run(document, entries) {
      const planned = await plan(document);
      return planned.ok ? replayOn(planned.plan, document, entries) : planned;
    },
  };
}

/** Returns the progress of a run on a plan: the version of a new run may not be stored yet. */
export async function replayOn(plan: Plan, document: RunDocument, entries: readonly JournalEntry[]): Promise<Replayed> {
  const { retried_at, kept_from, created_at, begun_at = created_at } = document;
  const continued = {
    retriedAt: retried_at === undefined ? 0 : Date.parse(retried_at),
    continuedAt: kept_from === undefined ? 0 : Date.parse(begun_at),
  };
  const progress = new Progress(plan, baseScope(document), continued);
  if (hasNeverBegun(document)) return { ok: true, plan, progress, ready: [] };
  await drainReadyTasks(progress, plan.pace, progress.start(Date.parse(begun_at)));
  for (const { index, item, outcome } of entries) {
    const task = progress.task(index, item);
    if (outcome.kept !== undefined) progress.restore(index, outcome);
    else if (task !== undefined) progress.settle(task, outcome);
    if (progress.isPaused()) await drainReadyTasks(progress, plan.pace, []);
  }
  return { ok: true, plan, progress, ready: progress.executable() };
}

export const versionMissingError = (): RunError => ({
  code: "version_missing",
  message: "The version of the run was deleted.",
});

/** Returns the index of the input step that a run starts at. */
export function indexOfStart({ steps }: Version, key: string | null): number | undefined {
  const index = key === null ? -1 : steps.findIndex((step) => step.key === key);
  return index < 0 ? undefined : index;
}
