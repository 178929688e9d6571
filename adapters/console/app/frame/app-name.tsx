/** The name of the app. */
import { useQuery } from "@tanstack/react-query";
import { client } from "../server/client.ts";

export function AppName({ appId }: { readonly appId: string }) {
  const me = useQuery({ queryKey: [appId, "me"], queryFn: () => client.me(), staleTime: 60_000 });
  return <span className="app-name">{me.data?.app.name}</span>;
}
