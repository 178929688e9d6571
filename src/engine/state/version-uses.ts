/**
 * Keeps a version as long as runs of it exist, because an ended run can be read and retried. A deployed version also stays as
 * long as its workflow, a draft only as long as its runs.
 *
 * Whether a run is the last one of its version is decided while no other run of it is stored or deleted: within a process, one
 * after another. If several processes share the store, a run of a draft that comes or goes writes the draft again. So of two
 * processes that decide at the same time, one conflicts and decides again.
 */
import { retryOnConflict } from "../../documents/retry-on-conflict.ts";
import type { UseGuard } from "../../documents/use-guard.ts";
import { notFound } from "../../errors.ts";
import type { Change, DerivedChange, Store, Stored } from "../../ports/store.ts";
import { createSerialQueues } from "../../queues/serial-queues.ts";
import { versionMark, workflowRuns } from "../../runs/run-rows.ts";
import { appVersions, versionKey } from "../../workflows/find-version.ts";
import type { Version } from "../../workflows/version.ts";
import { versionDeletion, versionsOf } from "../../workflows/versions.ts";
import { workflowKey } from "../../workflows/workflows.ts";

type Changes = readonly (Change | DerivedChange)[];

/** What a run has of its version. */
export interface RunOfVersion {
  readonly id: string;
  readonly workflow_id: string;
  readonly workflow_version_id: string;
  /** Number of the version; 0 for a draft. */
  readonly version: number;
}

export interface VersionUses {
  /**
   * Stores a run of a version. The first run of a draft stores the draft.
   * @param commit Commits the run and these changes.
   * @param before The run as stored. If it is of another version, that one may have no runs left.
   * @throws StepwellError `not_found` if the workflow of a deployed version was deleted meanwhile
   */
  storeRun(version: Version, commit: (changes: Changes) => Promise<void>, before?: RunOfVersion): Promise<void>;
  /** Commits the deletion of a run, and deletes its version if nothing else needs it. */
  deleteRun(run: RunOfVersion, deletion: Changes): Promise<void>;
  /** Deletes a version of a deleted workflow, unless runs of it exist. */
  deleteUnused(workflowId: string, versionId: string): Promise<void>;
}

export function createVersionUses(parts: {
  store: Store;
  uses: Pick<UseGuard, "using">;
  /** Whether other processes use the store at the same time. */
  isShared: boolean;
}): VersionUses {
  const { store, uses, isShared } = parts;
  const queues = createSerialQueues();

  /** @param versionIds Sorted, so that calls for the same versions wait for them in the same order. */
  function inTurn<T>([versionId, ...others]: readonly string[], act: () => Promise<T>): Promise<T> {
    return versionId === undefined ? act() : queues.run(versionId, () => inTurn(others, act));
  }

  /** Changes nothing, but rejects the commit if the workflow is changed or deleted meanwhile; null if it is deleted. */
  async function workflowUnchanged(workflowId: string): Promise<DerivedChange | null> {
    const key = workflowKey(workflowId);
    const found = await store.get(key);
    return found === null ? null : { key, expected: found.version, rows: [] };
  }

  /** Lets others conflict that decide about the draft at the same time. */
  function unchanged({ document, version }: Stored<Version>): readonly Change[] {
    return isShared ? [{ key: versionKey(document.id), document, expected: version }] : [];
  }

  /** The first run of a draft stores the draft. */
  async function changesToStore(version: Version): Promise<Changes> {
    if (version.version > 0) return [];
    const { id, app_id } = version;
    const key = versionKey(id);
    const found = await store.get<Version>(key);
    if (found !== null) return unchanged(found);
    return [{ key, document: version, expected: null, rows: [{ list: appVersions(app_id), put: { id } }] }];
  }

  async function hasRuns(version: Omit<RunOfVersion, "id">, except?: string): Promise<boolean> {
    const marks = [[versionMark(version)]];
    const { ids } = await store.list(workflowRuns(version.workflow_id), { limit: 2, marks, withoutTotal: true });
    return ids.some((id) => id !== except);
  }

  /** The deletion of a run's version if it is the last one. */
  async function changesToRelease(run: RunOfVersion): Promise<readonly Change[]> {
    const isDraft = run.version === 0;
    // Before the runs: so one that is stored meanwhile has made this version of the draft an old one.
    const before = isShared && isDraft ? await store.get<Version>(versionKey(run.workflow_version_id)) : null;
    if (await hasRuns(run, run.id)) return before === null ? [] : unchanged(before);
    const found = before ?? (await store.get<Version>(versionKey(run.workflow_version_id)));
    return found === null ? [] : versionDeletion(store, found);
  }

  return {
    storeRun(version, commit, before) {
      const left = before?.version === 0 && before.workflow_version_id !== version.id ? before : undefined;
      const drafts = [
        ...(version.version === 0 ? [version.id] : []),
        ...(left === undefined ? [] : [left.workflow_version_id]),
      ];
      const isDraft = (changed: string) => drafts.some((id) => changed === versionKey(id));
      const decide = async (guards: Changes) => {
        const released = left === undefined ? [] : await changesToRelease(left);
        await commit([...(await changesToStore(version)), ...released, ...guards]);
      };
      const storeRun = (guards: Changes) => retryOnConflict(isDraft, () => inTurn(drafts.sort(), () => decide(guards)));
      if (version.version === 0) return storeRun([]);
      return uses.using(version.workflow_id, storeRun, (id) => notFound("workflow", id));
    },

    deleteRun(run, deletion) {
      const { workflow_id, workflow_version_id } = run;
      const isRead = (key: string) => key === workflowKey(workflow_id) || key === versionKey(workflow_version_id);
      return retryOnConflict(isRead, async () => {
        const unchanged = run.version > 0 ? await workflowUnchanged(workflow_id) : null;
        if (unchanged !== null) return store.commit([...deletion, unchanged]);
        await inTurn([workflow_version_id], async () => store.commit([...deletion, ...(await changesToRelease(run))]));
      });
    },

    deleteUnused(workflowId, versionId) {
      const key = versionKey(versionId);
      const isVersion = (changed: string) => changed === key;
      return retryOnConflict(isVersion, () =>
        inTurn([versionId], async () => {
          const found = await store.get<Version>(key);
          if (found === null) {
            const rows = [{ list: versionsOf(workflowId), delete: versionId }];
            return store.commit([{ key, document: null, expected: null, rows }]);
          }
          const { workflow_id, id, version } = found.document;
          if (await hasRuns({ workflow_id, workflow_version_id: id, version })) return;
          await store.commit(await versionDeletion(store, found));
        }),
      );
    },
  };
}
