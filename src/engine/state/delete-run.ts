/** Deletes ended runs: the document, its rows and its large outputs, in one commit. */
import { isStepwellError, StepwellError } from "../../errors.ts";
import type { Change, Store } from "../../ports/store.ts";
import { EXPIRING_RUNS, FAILED_RUNS, listsOf, PARENT_RUNS, runKey } from "../../runs/run-rows.ts";
import { keysOfLargeValues } from "./large-values.ts";
import { isEnded, namesChildren, type RunDocument, valuesOf } from "./run-document.ts";
import { getRun } from "./run-snapshot.ts";
import type { VersionUses } from "./version-uses.ts";

/** Returns the changes that delete a run. Its journal was removed when it ended. */
export function deletionOf(document: RunDocument, version: number): Change[] {
  const key = runKey(document.id);
  const lists = [...listsOf(document), ...(document.delete_at === undefined ? [] : [EXPIRING_RUNS])];
  if (document.handle_failure_at !== undefined) lists.push(FAILED_RUNS);
  if (namesChildren(document)) lists.push(PARENT_RUNS);
  const rows = lists.map((list) => ({ list, delete: document.id }));
  const outputs = keysOfLargeValues((document.steps ?? []).flatMap(valuesOf));
  return [
    { key, document: null, expected: version, rows },
    ...outputs.map((output) => ({ key: output, document: null, expected: 1 })),
  ];
}

/**
 * Deletes a run for a caller.
 * @throws StepwellError `not_found`; `conflict` if it has not ended, or its parent has not
 */
export async function deleteRun(store: Store, versionUses: VersionUses, runId: string): Promise<void> {
  for (;;) {
    const { document, version } = await getRun(store, runId);
    if (!isEnded(document)) {
      throw new StepwellError("conflict", `The run is ${document.status}. Cancel it before you delete it.`);
    }
    if (await isParentOpen(store, document)) {
      const message = `The run that started it, ${document.parent_run_id}, has not ended and may need its output.`;
      throw new StepwellError("conflict", message);
    }
    try {
      return await versionUses.deleteRun(document, deletionOf(document, version));
    } catch (error) {
      if (!isStepwellError(error, "conflict")) throw error; // otherwise it was retried or deleted meanwhile
    }
  }
}

/** Whether the run that started it has not ended. It may start the child again if it does not find it. */
export async function isParentOpen(store: Store, { parent_run_id }: RunDocument): Promise<boolean> {
  if (parent_run_id === null) return false;
  const parent = await store.get<RunDocument>(runKey(parent_run_id));
  return parent !== null && !isEnded(parent.document);
}
