/** Deletes the workflows of a deleted app with their drafts and versions, and the versions of deleted workflows. */
import { rowIds, updateDocument } from "../documents/documents.ts";
import { usesChanges } from "../documents/stored-uses.ts";
import { isStepwellError } from "../errors.ts";
import type { Change, Key, Store } from "../ports/store.ts";
import { appVersions, versionKey } from "./find-version.ts";
import type { Version } from "./version.ts";
import { versionDeletion, versionsOf } from "./versions.ts";
import {
  appMarks,
  DELETED_WORKFLOWS,
  draftKey,
  forgetDeleted,
  rowDeletions,
  workflowKey,
  workflowsOf,
} from "./workflows.ts";

/** Must run after the runs are deleted: canceling a run reads its version. */
export function createPurgeWorkflows({ store }: { store: Store }) {
  async function deletionOf(key: Key): Promise<Change[]> {
    const found = await store.get(key);
    return found === null ? [] : [{ key, document: null, expected: found.version }];
  }

  /** With the draft, which no list contains. Starts over if a caller changes the draft at the same time. */
  async function deleteWorkflow(appId: string, workflowId: string): Promise<void> {
    const key = workflowKey(workflowId);
    try {
      await updateDocument(store, key, async (found) => {
        const rows = rowDeletions(appId, workflowId);
        const workflow = { key, document: null, expected: found?.version ?? null, rows };
        const draft = await deletionOf(draftKey(workflowId));
        return {
          changes: [workflow, ...draft, ...(await usesChanges(store, appId, workflowId, []))],
          result: undefined,
        };
      });
    } catch (error) {
      if (!isStepwellError(error, "conflict")) throw error;
      await deleteWorkflow(appId, workflowId);
    }
  }

  async function deleteVersion(appId: string, versionId: string): Promise<void> {
    const key = versionKey(versionId);
    const rowDeletion: Change = {
      ...{ key, document: null, expected: null },
      rows: [{ list: appVersions(appId), delete: versionId }],
    };
    await updateDocument<Version, void>(store, key, async (found) => ({
      changes: found === null ? [rowDeletion] : await versionDeletion(store, found),
      result: undefined,
    }));
  }

  return async (appId: string, isStopped: () => boolean): Promise<void> => {
    for await (const id of rowIds(store, workflowsOf(appId))) {
      if (isStopped()) return;
      await deleteWorkflow(appId, id);
    }
    for await (const id of rowIds(store, appVersions(appId))) {
      if (isStopped()) return;
      await deleteVersion(appId, id);
    }
    for await (const id of rowIds(store, DELETED_WORKFLOWS, { marks: appMarks(appId) })) {
      if (isStopped()) return;
      await forgetDeleted(store, id);
    }
  };
}

/**
 * Deletes the versions of deleted workflows, except those that runs need. They go with the last of these runs. In the
 * background, because a workflow may have any number of versions.
 */
export function createPurgeVersions(parts: {
  store: Store;
  /** Deletes a version unless runs of it exist. */
  deleteUnused(workflowId: string, versionId: string): Promise<void>;
}) {
  const { store, deleteUnused } = parts;
  return async (isStopped: () => boolean): Promise<void> => {
    for await (const workflowId of rowIds(store, DELETED_WORKFLOWS)) {
      for await (const versionId of rowIds(store, versionsOf(workflowId))) {
        if (isStopped()) return;
        await deleteUnused(workflowId, versionId);
      }
      if (isStopped()) return;
      await forgetDeleted(store, workflowId);
    }
  };
}
