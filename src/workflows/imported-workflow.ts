/** A workflow that an import creates, with its draft and versions at once. Pure. */
import { newUses } from "../documents/stored-uses.ts";
import type { Ids } from "../ports/ids.ts";
import type { Change } from "../ports/store.ts";
import { dateOf } from "../time/iso.ts";
import { appVersions, versionKey } from "./find-version.ts";
import { type DraftPut, referencesOf, type Version } from "./version.ts";
import { versionNumberKey } from "./version-reader.ts";
import { versionsOf } from "./versions.ts";
import type { Workflow } from "./workflow.ts";
import { type DraftDocument, draftKey, eventStartRow, wholeDefinition, workflowKey, workflowRow } from "./workflows.ts";

/** A workflow of an export, with the ids that it gets. */
export interface WorkflowImport extends Partial<Pick<Workflow, "description" | "visibility" | "tool">> {
  readonly id: string;
  readonly name: string;
  /** @default the definition of the last version */
  readonly draft?: DraftPut;
  /** Numbered from 1 without gaps. The last becomes the latest version. */
  readonly versions?: readonly (DraftPut & Pick<Version, "id" | "version"> & Partial<Pick<Version, "notes">>)[];
}

export interface ImportedWorkflow {
  readonly workflow: Workflow;
  readonly draft: DraftDocument;
  readonly versions: readonly Version[];
}

export function importedWorkflow(
  appId: string,
  given: WorkflowImport,
  ids: Pick<Ids, "next">,
  now: string,
): ImportedWorkflow {
  const { id, name, description = null, visibility = "PRIVATE", tool = null, versions: frozen = [] } = given;
  const versions = frozen.map(
    ({ id: versionId, version, notes = null, ...definition }): Version => ({
      ...{ id: versionId, app_id: appId, workflow_id: id, description, version, notes },
      ...{ created_at: dateOf(now), deployed_at: now, key: `${id}@${version}` },
      ...wholeDefinition(definition),
    }),
  );
  const latest = versions.at(-1);
  const workflow: Workflow = {
    ...{ id, app_id: appId, name, description, visibility, tool, revision: 1, created_at: now, updated_at: now },
    ...{ latest_version: latest?.version ?? null, latest_version_id: latest?.id ?? null },
  };
  const definition = wholeDefinition(given.draft ?? frozen.at(-1) ?? {});
  const draft = { id: ids.next("workv"), ...definition, revision: 1, updated_at: now };
  return { workflow, draft, versions };
}

/** The changes that store it. @param usable Ids of the app and of the import that its latest version may use. */
export function putImportedWorkflow(
  { workflow, draft, versions }: ImportedWorkflow,
  usable: ReadonlySet<string>,
): Change[] {
  const { id, app_id } = workflow;
  const lists = [versionsOf(id), appVersions(app_id)];
  const starts = versions.length === 0 ? [] : [eventStartRow(app_id, id, versions.at(-1)?.settings)];
  const latest = versions.at(-1);
  const references = latest === undefined ? [] : [...referencesOf(latest)];
  const uses = references.filter((one) => one !== id && usable.has(one));
  return [
    { key: workflowKey(id), document: workflow, rows: [workflowRow(workflow), ...starts] },
    ...(uses.length === 0 ? [] : [newUses(app_id, id, uses)]),
    { key: draftKey(id), document: draft },
    ...versions.flatMap((version): Change[] => [
      {
        key: versionKey(version.id),
        document: version,
        rows: lists.map((list) => ({ list, put: { id: version.id } })),
      },
      { key: versionNumberKey(id, version.version), document: { id: version.id } },
    ]),
  ];
}
