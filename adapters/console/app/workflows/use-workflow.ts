/** A workflow, for all screens that show one: a deployment from elsewhere changes it while they are open. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { LIVE_QUERY } from "../live/live-query.ts";
import { client } from "../server/client.ts";

export const workflowQuery = (appId: string, workflowId: string) =>
  queryOptions({
    queryKey: [appId, "workflows", workflowId],
    queryFn: ({ signal }) => client.with({ signal }).workflows.get(appId, workflowId),
    ...LIVE_QUERY,
  });

/** More are found by their address only. */
const MAX_LISTED = 1_000;

/** The workflows of an app, to choose one of them. */
export const workflowsQuery = (appId: string) =>
  queryOptions({
    queryKey: [appId, "workflows", "all"],
    queryFn: ({ signal }) => client.with({ signal }).workflows.list(appId, { take: MAX_LISTED }),
  });

export const useWorkflow = (appId: string, workflowId: string) => useQuery(workflowQuery(appId, workflowId));
