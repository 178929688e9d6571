/** Deletes the workflows of a deleted app, with their drafts and versions. */
import { rowIds, updateDocument } from "../documents/documents.ts";
import { usesChanges } from "../documents/stored-uses.ts";
import { isStepwellError } from "../errors.ts";
import type { Change, Key, Store } from "../ports/store.ts";
import { appVersions, versionKey } from "./find-version.ts";
import type { Version } from "./version.ts";
import { versionNumberKey } from "./version-reader.ts";
import { versionsOf } from "./versions.ts";
import { draftKey, rowDeletions, workflowKey, workflowsOf } from "./workflows.ts";

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

  /** With the document that finds it by its number. */
  async function deleteVersion(appId: string, versionId: string): Promise<void> {
    const key = versionKey(versionId);
    await updateDocument<Version, void>(store, key, async (found) => {
      const lists = [appVersions(appId), ...(found === null ? [] : [versionsOf(found.document.workflow_id)])];
      const rows = lists.map((list) => ({ list, delete: versionId }));
      const changes: Change[] = [{ key, document: null, expected: found?.version ?? null, rows }];
      if (found !== null && found.document.version > 0) {
        const { workflow_id, version } = found.document;
        changes.push(...(await deletionOf(versionNumberKey(workflow_id, version))));
      }
      return { changes, result: undefined };
    });
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
  };
}
