/** The routes of workflows, their drafts and versions. */
import * as v from "valibot";
import { onlyPublic } from "../api/caller.ts";
import { marksOf } from "../documents/documents.ts";
import { pageQuery, searchQuery } from "../documents/pagination.ts";
import { isStepwellError } from "../errors.ts";
import { created, createdAt, nothing, one, pageOf, route } from "../http/route.ts";
import { check, jsonObject, strictObject, Visibility } from "../schema.ts";
import { Deploy, Draft, DraftPut, Rollback, Validation, Version } from "./version.ts";
import type { Versions } from "./versions.ts";
import { Workflow, WorkflowCreate, WorkflowUpdate } from "./workflow.ts";
import { type DraftDocument, type Workflows, wholeDefinition } from "./workflows.ts";

export interface Slices {
  readonly workflows: Workflows;
  readonly versions: Versions;
}

const WORKFLOW = "/apps/{app_id}/workflows/{workflow_id}";
const ListQuery = strictObject({ ...pageQuery, ...searchQuery, visibility: v.exactOptional(Visibility) });
const VersionsQuery = strictObject(pageQuery);
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
    answers: created(Workflow),
    run: ({ workflows }: Slices, { params, body, receipt }) => workflows.create(params.app_id, body, receipt),
  }),
  list: route({
    method: "GET",
    path: "/apps/{app_id}/workflows",
    ...read,
    summary: "List the workflows of an app, newest first.",
    query: ListQuery,
    answers: pageOf(Workflow),
    run: ({ workflows }: Slices, { params, query: { visibility, ...page } }) =>
      workflows.list(params.app_id, { ...page, marks: marksOf("visibility", visibility) }),
  }),
  get: route({
    method: "GET",
    path: WORKFLOW,
    ...read,
    summary: "Get a workflow.",
    answers: one(Workflow),
    run: ({ workflows }: Slices, { params }) => workflows.get(params.app_id, params.workflow_id),
  }),
  update: route({
    method: "PATCH",
    path: WORKFLOW,
    ...write,
    summary: "Update a workflow's name, description or visibility.",
    body: WorkflowUpdate,
    answers: one(Workflow),
    run: ({ workflows }: Slices, { params, body }) => workflows.update(params.app_id, params.workflow_id, body),
  }),
  remove: route({
    method: "DELETE",
    path: WORKFLOW,
    ...write,
    summary: "Delete a workflow with its draft and versions. Active runs continue.",
    answers: nothing(),
    run: ({ workflows }: Slices, { params }) => workflows.remove(params.app_id, params.workflow_id),
  }),
  getDraft: route({
    method: "GET",
    path: `${WORKFLOW}/draft`,
    ...read,
    summary: "Get the draft.",
    answers: one(Draft),
    run: async ({ workflows }: Slices, { params }) =>
      draftFields(await workflows.getDraft(params.app_id, params.workflow_id)),
  }),
  putDraft: route({
    method: "PUT",
    path: `${WORKFLOW}/draft`,
    ...write,
    summary: "Replace the draft.",
    body: DraftPut,
    answers: one(Draft),
    run: async ({ workflows }: Slices, { params, body }) =>
      draftFields(await workflows.putDraft(params.app_id, params.workflow_id, body)),
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
        const given = Object.keys(body).length === 0 ? draft : wholeDefinition(check(DraftPut, body));
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
