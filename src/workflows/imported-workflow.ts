/** The changes that store a workflow with its draft and versions at once. Pure. */
import type { Change } from "../ports/store.ts";
import { appVersions, versionKey } from "./find-version.ts";
import type { Version } from "./version.ts";
import { versionNumberKey } from "./version-reader.ts";
import { versionsOf } from "./versions.ts";
import type { Workflow } from "./workflow.ts";
import { type DraftDocument, draftKey, workflowKey, workflowRow } from "./workflows.ts";

/** @param versions Numbered from 1 without gaps. The last is the latest version of the workflow. */
export function importedWorkflow(workflow: Workflow, draft: DraftDocument, versions: readonly Version[]): Change[] {
  const lists = [versionsOf(workflow.id), appVersions(workflow.app_id)];
  return [
    { key: workflowKey(workflow.id), document: workflow, rows: [workflowRow(workflow)] },
    { key: draftKey(workflow.id), document: draft },
    ...versions.flatMap((version): Change[] => [
      {
        key: versionKey(version.id),
        document: version,
        rows: lists.map((list) => ({ list, put: { id: version.id } })),
      },
      { key: versionNumberKey(workflow.id, version.version), document: { id: version.id } },
    ]),
  ];
}
