/** How many inputs wait for people, for the navigation. */
import { useQuery } from "@tanstack/react-query";
import { LIVE_QUERY } from "../live/live-query.ts";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";

export function useWaitingCount(appId: string): number {
  const mayRead = useMay("runs:read");
  const inputs = useQuery({
    queryKey: [appId, "inputs", "count"],
    queryFn: ({ signal }) => client.with({ signal }).inputs.list(appId),
    enabled: mayRead,
    ...LIVE_QUERY,
  });
  return inputs.data?.total ?? inputs.data?.items.length ?? 0;
}
