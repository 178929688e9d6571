/** The steps of the version that a run executes. A frozen version is read once; a draft may have changed since. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Run } from "../../../../src/runs/run.ts";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import type { RunDefinition } from "./run-context.ts";

export function useDefinition({ app_id, workflow_id, version }: Run): RunDefinition {
  const mayRead = useMay("workflows:read");
  const isDraft = version === 0;
  const query = useQuery({
    queryKey: [app_id, "workflows", workflow_id, "versions", version, "steps"],
    queryFn: async ({ signal }) => {
      const { workflows } = client.with({ signal });
      const found = isDraft
        ? await workflows.getDraft(app_id, workflow_id)
        : await workflows.getVersion(app_id, workflow_id, version);
      return found.steps;
    },
    enabled: mayRead,
    staleTime: isDraft ? 5_000 : Infinity,
  });
  const steps = query.data ?? null;
  return useMemo(
    () => ({ steps, byKey: new Map(steps?.map((step) => [step.key, step])), isLoading: query.isLoading }),
    [steps, query.isLoading],
  );
}
