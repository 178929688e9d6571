/** Names of workflows by their ids. */
import { useQuery } from "@tanstack/react-query";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";

/** The id, until the name is known. */
export function useWorkflowName(appId: string, workflowId: string): string {
  const mayRead = useMay("workflows:read");
  const found = useQuery({
    queryKey: [appId, "workflows", workflowId],
    queryFn: () => client.workflows.get(appId, workflowId),
    enabled: mayRead,
    staleTime: 60_000,
  });
  return found.data?.name ?? workflowId;
}
