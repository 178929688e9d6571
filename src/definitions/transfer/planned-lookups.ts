/** Finds workflows and versions that an import is about to create, and those that exist. */
import { notFound } from "../../errors.ts";
import type { ImportedWorkflow } from "../../workflows/imported-workflow.ts";
import type { Version } from "../../workflows/version.ts";
import type { Versions } from "../../workflows/versions.ts";
import type { Workflow } from "../../workflows/workflow.ts";
import type { Workflows } from "../../workflows/workflows.ts";

export interface Lookups {
  /** @throws StepwellError `not_found` */
  getWorkflow(appId: string, workflowId: string): Promise<Workflow>;
  /** @throws StepwellError `not_found` */
  getVersion(appId: string, workflowId: string, version: string): Promise<Version>;
}

export function lookupsWith(
  planned: readonly Pick<ImportedWorkflow, "workflow" | "versions">[],
  existing: { readonly workflows: Pick<Workflows, "get">; readonly versions: Pick<Versions, "get"> },
): Lookups {
  const byId = new Map(planned.map((one) => [one.workflow.id, one]));
  return {
    getWorkflow: async (appId, id) => byId.get(id)?.workflow ?? existing.workflows.get(appId, id),
    async getVersion(appId, id, version) {
      const own = byId.get(id);
      if (own === undefined) return existing.versions.get(appId, id, version);
      const found =
        version === "latest"
          ? own.versions.at(-1)
          : own.versions.find((one) => one.id === version || String(one.version) === version);
      if (found === undefined) throw notFound("version", version);
      return found;
    },
  };
}
