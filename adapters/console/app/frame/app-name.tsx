/** The name of the app. */

import { useQuery } from "@tanstack/react-query";
import { nameOr } from "../elements/values/visible-text.ts";
import { client } from "../server/client.ts";

export function AppName({ appId }: { readonly appId: string }) {
  const me = useQuery({ queryKey: [appId, "me"], queryFn: () => client.me(), staleTime: 60_000 });
  return <bdi className="app-name">{me.data === undefined ? null : nameOr(me.data.app.name, appId)}</bdi>;
}
