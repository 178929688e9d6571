/** The routes that compare, draw, export and import definitions. */
import { onlyPublic } from "../calls/caller.ts";
import { createdAt, inForms, JSON_FORM, one, route } from "../http/route.ts";
import type { Versions } from "../workflows/versions.ts";
import type { Workflows } from "../workflows/workflows.ts";
import { Diagram, diagramOf } from "./diagram/diagram.ts";
import { diffText } from "./diff/diff-text.ts";
import { diffVersions } from "./diff/diff-versions.ts";
import { VersionDiff } from "./diff/version-diff.ts";
import { Bundle, Imported, MAX_BUNDLE_BYTES } from "./transfer/bundle.ts";
import type { Exports } from "./transfer/export-definitions.ts";
import type { Imports } from "./transfer/import-definitions.ts";

export interface Slices {
  readonly versions: Pick<Versions, "get">;
  readonly workflows: Pick<Workflows, "get">;
  readonly definitionExports: Exports;
  readonly definitionImports: Imports;
}

const VERSIONS = "/apps/{app_id}/workflows/{workflow_id}/versions";
const read = { access: "app", scope: "workflows:read" } as const;
const write = { access: "app", scope: "workflows:write" } as const;

export const definitionRoutes = {
  diff: route({
    method: "GET",
    path: `${VERSIONS}/{version_a}/diff/{version_b}`,
    ...read,
    summary:
      "Compare two versions, each by its id, its number, `latest` or `draft`. `Accept: text/plain` returns the difference as text.",
    answers: inForms(VersionDiff, JSON_FORM, { type: "text/plain", text: diffText }),
    async run({ versions }: Slices, { params: { app_id, workflow_id, version_a, version_b } }) {
      const [before, after] = await Promise.all([
        versions.get(app_id, workflow_id, version_a),
        versions.get(app_id, workflow_id, version_b),
      ]);
      return diffVersions(before, after);
    },
  }),
  diagram: route({
    method: "GET",
    path: `${VERSIONS}/{version}/diagram`,
    access: "public",
    scope: "workflows:read",
    summary:
      "Draw a version (its id, its number, `latest` or `draft`) as SVG. With `Accept`, get Mermaid (`text/plain`, `text/vnd.mermaid`) or JSON with both.",
    answers: inForms(
      Diagram,
      { type: "image/svg+xml", text: ({ svg }) => svg },
      { type: "text/plain", text: ({ mermaid }) => mermaid },
      { type: "text/vnd.mermaid", text: ({ mermaid }) => mermaid },
      JSON_FORM,
    ),
    async run({ versions, workflows }: Slices, { params: { app_id, workflow_id, version }, caller }) {
      const drawn = await versions.get(app_id, workflow_id, version, onlyPublic(caller));
      const { name } = await workflows.get(app_id, workflow_id);
      return diagramOf(drawn, name);
    },
  }),
  export: route({
    method: "GET",
    path: `${VERSIONS}/{version}/export`,
    ...read,
    summary:
      "Export a version with the workflows, collections and connections that it refers to. Also needs `collections:read` and `connections:read` if there are any.",
    answers: one(Bundle),
    run: ({ definitionExports }: Slices, { params: { app_id, workflow_id, version }, caller }) =>
      definitionExports.workflow(app_id, workflow_id, version, caller),
  }),
  import: route({
    method: "POST",
    path: "/apps/{app_id}/workflows/import",
    ...write,
    summary:
      "Create what an export defines, all of it or nothing. Of the export of a workflow, what the app already has is used instead, except that workflow. Imported triggers and webhooks are off; only this response contains the secrets of the webhooks. Also needs `collections:write`, `schedules:write` and `webhooks:write` for what it creates, the scopes that read the events of webhooks, and `connections:read` if it uses connections.",
    body: Bundle,
    bodyBytes: MAX_BUNDLE_BYTES,
    answers: createdAt(Imported, ({ workflow_id }, path) =>
      workflow_id === null ? path.replace(/\/import$/, "") : path.replace(/import$/, workflow_id),
    ),
    run: ({ definitionImports }: Slices, { params, body, caller, receipt }) =>
      definitionImports.import(params.app_id, body, caller, receipt),
  }),
};

/** The same for everything that an app defines. */
export const appDefinitionRoutes = {
  export: route({
    method: "GET",
    path: "/apps/{app_id}/export",
    ...read,
    summary:
      "Export all that an app defines: workflows with their drafts and latest versions, collections with their triggers, tags, schedules, webhooks and connections, without secrets. Also needs `collections:read`, `connections:read`, `schedules:read` and `webhooks:read` if there are any.",
    answers: one(Bundle),
    run: ({ definitionExports }: Slices, { params, caller }) => definitionExports.app(params.app_id, caller),
  }),
};
