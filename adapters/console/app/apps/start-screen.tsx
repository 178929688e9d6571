/** The first screen: the app of the session, or the apps of an admin. */
import { useEffect } from "react";
import { Loading } from "../elements/loading.tsx";
import { navigate } from "../routing/location.ts";
import { sectionPath } from "../routing/screen-props.ts";
import { firstSection } from "../session/section-scopes.ts";
import { useSession } from "../session/session-context.ts";

export function StartScreen() {
  const session = useSession();
  const { app_id } = session;
  const path = app_id === null ? "/apps" : sectionPath(app_id, firstSection(session));
  useEffect(() => navigate(path, { replace: true }), [path]);
  return <Loading />;
}
