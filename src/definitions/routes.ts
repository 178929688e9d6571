/** The routes that compare, draw, export and import definitions. */
import { onlyPublic } from "../api/caller.ts";
import { inForms, JSON_FORM, route } from "../http/route.ts";
import type { Versions } from "../workflows/versions.ts";
import { Diagram, diagramOf } from "./diagram/diagram.ts";
import { diffText } from "./diff/diff-text.ts";
import { diffVersions } from "./diff/diff-versions.ts";
import { VersionDiff } from "./diff/version-diff.ts";

export interface Slices {
  readonly versions: Pick<Versions, "get">;
}

const VERSIONS = "/apps/{app_id}/workflows/{workflow_id}/versions";
const read = { access: "app", scope: "workflows:read" } as const;

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
      "Draw a version (its id, its number, `latest` or `draft`) as SVG, or by `Accept` as Mermaid (`text/plain`, `text/vnd.mermaid`) or as JSON with both.",
    answers: inForms(
      Diagram,
      { type: "image/svg+xml", text: ({ svg }) => svg },
      { type: "text/plain", text: ({ mermaid }) => mermaid },
      { type: "text/vnd.mermaid", text: ({ mermaid }) => mermaid },
      JSON_FORM,
    ),
    run: async ({ versions }: Slices, { params: { app_id, workflow_id, version }, caller }) =>
      diagramOf(await versions.get(app_id, workflow_id, version, onlyPublic(caller))),
  }),
};
