/** The routes of workflows, their drafts and versions. */
import * as v from "valibot";
import { type Caller, onlyPublic } from "../calls/caller.ts";
import { marksOf } from "../documents/documents.ts";
import { checkRevision, versioned } from "../documents/expected-version.ts";
import { flag, pageQuery, searchQuery, tokenQuery } from "../documents/pagination.ts";
import { type Removal, removalOf } from "../documents/removal.ts";
import { isStepwellError } from "../errors.ts";
import { created, createdAt, nothing, one, pageOf, route, withVersion } from "../http/route.ts";
import { check, jsonObject, strictObject, Visibility } from "../schema.ts";
import { Deploy, Draft, DraftReplace, Rollback, Validation, Version } from "./version.ts";
import type { Versions } from "./versions.ts";
import { Workflow, WorkflowCreate, WorkflowRemoval, WorkflowUpdate } from "./workflow.ts";
import { type DraftDocument, type Workflows, wholeDefinition } from "./workflows.ts";

export interface Slices {
  readonly removals: {
    remove(
      used: { readonly app_id: string; readonly id: string; readonly kind: "workflow" },
      removal: Removal,
      caller: Caller,
    ): Promise<void>;
  };
  readonly workflows: Workflows;
  readonly versions: Versions;
}

const WORKFLOW = "/apps/{app_id}/workflows/{workflow_id}";
const ListQuery = strictObject({
  ...pageQuery,
  ...tokenQuery,
  ...searchQuery,
  visibility: v.exactOptional(Visibility),
  /** Whether the workflow is a tool (MCP). */
  tool: v.exactOptional(flag),
});
const VersionsQuery = strictObject({ ...pageQuery, ...tokenQuery });
const read = { access: "app", scope: "workflows:read" } as const;
const write = { access: "app", scope: "workflows:write" } as const;

const draftFields = ({ id: _, ...draft }: DraftDocument): Draft => draft;
const versionPath = ({ app_id, workflow_id, version }: Version) =>
  `/apps/${app_id}/workflows/${workflow_id}/versions/${version}`;

export const workflowRoutes = {
  create: route({
    method: "POST",
    path: "/apps/{app_id}/workflows",
    ...write,
    summary: "Create a workflow and its draft.",
    body: WorkflowCreate,
    answers: withVersion(created(Workflow), versioned),
    run: ({ workflows }: Slices, { params, body, receipt }) => workflows.create(params.app_id, body, receipt),
  }),
  list: route({
    method: "GET",
    path: "/apps/{app_id}/workflows",
    ...read,
    summary: "List the workflows of an app, newest first.",
    query: ListQuery,
    answers: pageOf(Workflow),
    run: ({ workflows }: Slices, { params, query: { visibility, tool, ...page } }) =>
      workflows.list(params.app_id, {
        ...page,
        marks: [...marksOf("visibility", visibility), ...marksOf("tool", tool?.toString())],
      }),
  }),
  get: route({
    method: "GET",
    path: WORKFLOW,
    ...read,
    summary: "Get a workflow.",
    answers: withVersion(one(Workflow), versioned),
    isVersioned: true,
    async run({ workflows }: Slices, { params, versions }) {
      const workflow = await workflows.get(params.app_id, params.workflow_id);
      checkRevision("workflow", workflow, versions);
      return workflow;
    },
  }),
  update: route({
    method: "PATCH",
    path: WORKFLOW,
    ...write,
    summary: "Update a workflow's name, description, visibility or tool.",
    body: WorkflowUpdate,
    answers: withVersion(one(Workflow), versioned),
    isVersioned: true,
    run: ({ workflows }: Slices, { params, body, versions }) =>
      workflows.update(params.app_id, params.workflow_id, body, versions),
  }),
  remove: route({
    method: "DELETE",
    path: WORKFLOW,
    ...write,
    summary: "Delete a workflow with its draft and versions. Active runs continue.",
    query: WorkflowRemoval,
    answers: nothing(),
    isVersioned: true,
    run: ({ removals }: Slices, { params, query, versions, caller }) =>
      removals.remove(
        { app_id: params.app_id, id: params.workflow_id, kind: "workflow" },
        removalOf(query, versions),
        caller,
      ),
  }),
  getDraft: route({
    method: "GET",
    path: `${WORKFLOW}/draft`,
    ...read,
    summary: "Get the draft.",
    answers: withVersion(one(Draft), versioned),
    isVersioned: true,
    async run({ workflows }: Slices, { params, versions }) {
      const draft = await workflows.getDraft(params.app_id, params.workflow_id);
      checkRevision("draft", draft, versions);
      return draftFields(draft);
    },
  }),
  putDraft: route({
    method: "PUT",
    path: `${WORKFLOW}/draft`,
    ...write,
    summary: "Replace the draft.",
    body: DraftReplace,
    needsBody: true,
    answers: withVersion(one(Draft), versioned),
    isVersioned: true,
    run: async ({ workflows }: Slices, { params, body, versions }) =>
      draftFields(await workflows.putDraft(params.app_id, params.workflow_id, body, versions)),
  }),
  validate: route({
    method: "POST",
    path: `${WORKFLOW}/validate`,
    ...read,
    summary: "Validate the definition in the body, or the draft if the body is empty.",
    body: jsonObject,
    answers: one(Validation),
    async run({ workflows, versions }: Slices, { params, body }) {
      const draft = await workflows.getDraft(params.app_id, params.workflow_id);
      try {
        const given = Object.keys(body).length === 0 ? draft : wholeDefinition(check(DraftReplace, body));
        return await versions.validate(params.app_id, params.workflow_id, given);
      } catch (error) {
        if (!isStepwellError(error, "invalid")) throw error;
        return versions.shapeErrors(body, error);
      }
    },
  }),
  deploy: route({
    method: "POST",
    path: `${WORKFLOW}/versions`,
    ...write,
    summary: "Deploy the draft as the next version.",
    body: Deploy,
    answers: createdAt(Version, versionPath),
    run: ({ versions }: Slices, { params, body, caller, receipt }) =>
      versions.deploy(params.app_id, params.workflow_id, body, caller, receipt),
  }),
  listVersions: route({
    method: "GET",
    path: `${WORKFLOW}/versions`,
    ...read,
    summary: "List the versions of a workflow, newest first.",
    query: VersionsQuery,
    answers: pageOf(Version),
    run: ({ versions }: Slices, { params, query }) => versions.list(params.app_id, params.workflow_id, query),
  }),
  getVersion: route({
    method: "GET",
    path: `${WORKFLOW}/versions/{version_id_or_version_number}`,
    access: "public",
    scope: "workflows:read",
    summary: "Get a version by its id, its number, `latest` or `draft`.",
    answers: one(Version),
    run: ({ versions }: Slices, { params, caller }) =>
      versions.get(params.app_id, params.workflow_id, params.version_id_or_version_number, onlyPublic(caller)),
  }),
  rollback: route({
    method: "POST",
    path: `${WORKFLOW}/versions/{version}/rollback`,
    ...write,
    summary: "Roll back: deploy an earlier version again as the next version.",
    body: Rollback,
    answers: createdAt(Version, versionPath),
    run: ({ versions }: Slices, { params, body, caller, receipt }) =>
      versions.rollback(params.app_id, params.workflow_id, params.version, body, caller, receipt),
  }),
};
