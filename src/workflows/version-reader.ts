/** Looks up versions and drafts by id, number, `latest` or `draft`. */

import type { References } from "../documents/documents.ts";
import { notFound } from "../errors.ts";
import type { Key, Store } from "../ports/store.ts";
import { type FindVersion, versionKey } from "./find-version.ts";
import type { Version } from "./version.ts";
import type { Workflow } from "./workflow.ts";
import type { DraftDocument, Workflows } from "./workflows.ts";

export interface VersionReader {
  /**
   * Returns a version by its id, its number, `latest` or `draft`.
   * @param onlyPublic Whether to hide drafts and PRIVATE workflows.
   * @throws StepwellError `not_found`
   */
  get(appId: string, workflowId: string, version: string, onlyPublic?: boolean): Promise<Version>;
  find: FindVersion;
}

const NUMBER = /^[1-9]\d{0,14}$/;
export const versionNumberKey = (workflowId: string, number: number | string): Key =>
  `version-number:${workflowId}.${number}`;

/** For repairs: the document that finds a version by its number depends on the version. */
export const versionNumberReferences: References = {
  "version-number": (document) =>
    "id" in document && typeof document.id === "string" ? [versionKey(document.id)] : [],
};

export function createVersionReader(parts: {
  store: Store;
  workflows: Workflows;
  findVersion: FindVersion;
}): VersionReader {
  const { store, workflows, findVersion: find } = parts;

  async function byNumber(workflowId: string, number: string): Promise<Version | null> {
    const found = await store.get<{ id: string }>(versionNumberKey(workflowId, number));
    return found === null ? null : await find(found.document.id);
  }

  async function get(appId: string, workflowId: string, version: string, onlyPublic = false): Promise<Version> {
    const workflow = await workflows.get(appId, workflowId);
    if (onlyPublic && workflow.visibility !== "PUBLIC") throw notFound("workflow", workflowId);
    if (version === "draft" && !onlyPublic) {
      return draftVersion(workflow, await workflows.getDraft(appId, workflowId));
    }
    const id = version === "latest" ? workflow.latest_version_id : version;
    const found = id === null ? null : NUMBER.test(id) ? await byNumber(workflowId, id) : await find(id);
    // A draft that was run is stored under its id, but it is still not public.
    const isHidden = found === null || found.workflow_id !== workflowId || (onlyPublic && found.version === 0);
    if (isHidden) throw notFound("version", version);
    return found;
  }

  return { get, find };
}

function draftVersion(
  workflow: Workflow,
  { id, updated_at: _, revision: _revision, ...definition }: DraftDocument,
): Version {
  return {
    id,
    app_id: workflow.app_id,
    workflow_id: workflow.id,
    description: workflow.description,
    version: 0,
    notes: null,
    created_at: null,
    key: `${workflow.id}@draft`,
    ...definition,
  };
}
