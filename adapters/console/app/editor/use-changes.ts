/** What the draft changes of the version that is deployed. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Definition } from "../../../../src/workflows/version.ts";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { useSettled } from "../elements/use-settled.ts";
import { client } from "../server/client.ts";
import { changesBetween } from "../versions/changes.ts";

export type DraftChanges =
  | { readonly kind: "never-deployed" }
  /** The version has not been read yet. */
  | { readonly kind: "unknown" }
  /** `count`: changed steps and parts, 0 for none. */
  | { readonly kind: "deployed"; readonly version: number; readonly count: number };

/** A version never changes, so each is read once. */
export const useDeployedVersion = ({ app_id, id, latest_version }: Workflow) =>
  useQuery({
    queryKey: [app_id, "workflows", id, "versions", latest_version],
    queryFn: ({ signal }) => client.with({ signal }).workflows.getVersion(app_id, id, latest_version ?? "latest"),
    enabled: latest_version !== null,
  });

/** Both are compared as a whole, so not with each letter. */
const PATIENCE_MS = 300;

export function useDraftChanges(workflow: Workflow, draft: Definition): DraftChanges {
  const { data: deployed } = useDeployedVersion(workflow);
  const settled = useSettled(draft, PATIENCE_MS);
  const count = useMemo(() => (deployed === undefined ? null : countOf(deployed, settled)), [deployed, settled]);
  if (workflow.latest_version === null) return { kind: "never-deployed" };
  if (deployed === undefined || count === null) return { kind: "unknown" };
  return { kind: "deployed", version: deployed.version, count };
}

/** Positions of steps change no run, but they are part of a version: all of them count as one change. */
export function countOf(before: Definition, after: Definition): number {
  const { steps, parts, moved, layout } = changesBetween(before, after);
  return steps.length + parts.length + (moved > 0 ? 1 : 0) + (layout > 0 ? 1 : 0);
}
