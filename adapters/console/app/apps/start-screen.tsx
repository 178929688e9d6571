/** The first screen: the app of the session, or the apps of an admin. */
import { useEffect } from "react";
import { Loading } from "../elements/loading.tsx";
import { navigate } from "../routing/location.ts";
import { useSession } from "../session/session-context.ts";

export function StartScreen() {
  const { app_id } = useSession();
  useEffect(() => navigate(app_id === null ? "/apps" : `/apps/${app_id}`, { replace: true }), [app_id]);
  return <Loading />;
}
