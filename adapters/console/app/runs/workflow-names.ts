/** Names of workflows, which runs don't have. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { nameOr } from "../elements/values/visible-text.ts";
import { LIVE_QUERY } from "../live/live-query.ts";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";

/** As many as a page of a list can have. */
const MOST = 1_000;

const namesKey = (appId: string) => [appId, "workflows", "names"] as const;

/** The workflows of an app: the first thousand, which is more than people tell apart in a list. */
export function useWorkflows(appId: string) {
  const mayRead = useMay("workflows:read");
  return useQuery({
    queryKey: namesKey(appId),
    queryFn: async ({ signal }) => {
      const { items } = await client.with({ signal }).workflows.list(appId, { take: MOST });
      return new Map(items.map(({ id, name }) => [id, nameOr(name, id)]));
    },
    enabled: mayRead,
    staleTime: 60_000,
    ...LIVE_QUERY,
  });
}

/** The id until the name has been read, and if it cannot be read. */
export function useWorkflowName(appId: string, workflowId: string): string {
  return useWorkflows(appId).data?.get(workflowId) ?? workflowId;
}

/** The name as a list has read it; undefined if none has. Reads nothing itself. */
export function useNameInLists(appId: string, workflowId: string): string | undefined {
  return useQueryClient().getQueryData<ReadonlyMap<string, string>>(namesKey(appId))?.get(workflowId);
}
