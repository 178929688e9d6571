/** The name of the app of the address. */

import { useQuery } from "@tanstack/react-query";
import { nameOr } from "../elements/values/visible-text.ts";
import { client } from "../server/client.ts";
import { useSession } from "../session/session-context.ts";

/** Undefined until it is read. */
export function useAppName(appId: string): string | undefined {
  const { admin } = useSession();
  const { data: name } = useQuery({
    queryKey: [appId, "name", admin],
    // Tabs of an admin share a session: `me` is the app that was opened last in any of them.
    queryFn: async ({ signal }) => {
      const reading = client.with({ signal });
      return (await (admin ? reading.apps.get(appId) : reading.me().then(({ app }) => app))).name;
    },
    staleTime: 60_000,
  });
  return name === undefined ? undefined : nameOr(name, appId);
}

export function AppName({ appId }: { readonly appId: string }) {
  return <bdi className="app-name">{useAppName(appId)}</bdi>;
}
