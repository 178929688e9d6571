/**
 * Runs that are not in memory while their child runs are open. A parent is loaded when a child has ended. Children that a
 * parent no longer needs, or that a parent that has ended left open, are canceled. Its document names them, so all of this
 * happens after a crash, too.
 */
import { rowIds, updateDocument } from "../../documents/documents.ts";
import type { Store, Stored } from "../../ports/store.ts";
import { createSemaphore } from "../../queues/semaphore.ts";
import { PARENT_RUNS, runKey } from "../../runs/run-rows.ts";
import type { Background } from "../../time/background.ts";
import type { RunRegistry } from "../run-registry.ts";
import { putEndedRun } from "../state/run-changes.ts";
import { isEnded, namesChildren, type RunDocument } from "../state/run-document.ts";
import type { RunRequests } from "./run-requests.ts";

export interface ParentRuns {
  /** Resumes the parent of an ended run, and cancels the children of one. */
  onRunEnded(document: RunDocument): void;
  /** Resumes a parent that has just left memory if one of its children has ended meanwhile. */
  onEvicted(document: RunDocument): void;
  /** Does what an earlier process left undone. */
  checkAll(): Promise<void>;
  /** Cancels a child of a run. Does nothing if it has ended or does not exist. Resolves when that is stored. */
  cancelChild(runId: string, childId: string): Promise<void>;
  /** Cancels the children of an ended run. Resolves when that is stored. */
  cancelChildren(runId: string): Promise<void>;
}

/** The name of the task in logs. */
const TASK = "child runs";
/** Children of all runs that are canceled at once. Each is loaded for that. */
const CHILDREN_AT_ONCE = 16;

export function createParentRuns(parts: {
  store: Store;
  background: Background;
  runs: RunRegistry;
  requests: RunRequests;
}): ParentRuns {
  const { store, background, runs, requests } = parts;
  const semaphore = createSemaphore(CHILDREN_AT_ONCE);
  const find = (runId: string) => store.get<RunDocument>(runKey(runId));

  async function check(runId: string): Promise<void> {
    const document = (await find(runId))?.document;
    if (document === undefined) return;
    if (isEnded(document)) return cancelChildren(runId);
    await cancelAll(runId, document.unneeded ?? []);
    const { awaits, status } = document;
    if (awaits !== undefined && status === "waiting" && (await hasEndedChild(awaits))) await requests.resume(runId);
  }

  async function hasEndedChild(children: readonly string[]): Promise<boolean> {
    const found = await store.getMany<RunDocument>(children.map(runKey));
    return found.some((child) => child === null || isEnded(child.document));
  }

  function cancelChild(runId: string, childId: string): Promise<void> {
    return semaphore.run(async () => {
      if (isOpenChild(runId, await find(childId))) await requests.end(childId, null);
    });
  }

  async function cancelAll(runId: string, children: readonly string[]): Promise<void> {
    for (const child of children) await cancelChild(runId, child);
  }

  async function cancelChildren(runId: string): Promise<void> {
    const ended = (await find(runId))?.document;
    await cancelAll(runId, [...(ended?.awaits ?? []), ...(ended?.unneeded ?? [])]);
    await updateDocument<RunDocument, void>(store, runKey(runId), (found) => {
      // Another call may have done this, and the run may have been retried or deleted since.
      if (found === null || !isEnded(found.document) || !namesChildren(found.document))
        return { changes: [], result: undefined };
      const { awaits, unneeded, ...without } = found.document;
      return { changes: [putEndedRun(without, found.version, found.document)], result: undefined };
    });
  }

  return {
    cancelChild,
    cancelChildren,

    onRunEnded(document) {
      const { id, parent_run_id } = document;
      if (namesChildren(document)) void background.retryUntilDone(TASK, () => cancelChildren(id));
      const isInMemory = parent_run_id === null || runs.get(parent_run_id) !== undefined;
      if (!isInMemory) void background.retryUntilDone(TASK, () => check(parent_run_id));
    },

    onEvicted({ id, awaits }) {
      if (awaits !== undefined) void background.retryUntilDone(TASK, () => check(id));
    },

    async checkAll() {
      for await (const runId of rowIds(store, PARENT_RUNS)) {
        if (runs.isClosed()) return;
        await background.retryUntilDone(TASK, () => check(runId)).tried;
      }
    },
  };
}

function isOpenChild(runId: string, child: Stored<RunDocument> | null): boolean {
  return child?.document.parent_run_id === runId && !isEnded(child.document);
}
