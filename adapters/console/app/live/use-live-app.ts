/** Keeps the page up to date while it shows an app. */
import { useEffect } from "react";
import { useMay } from "../session/session-context.ts";
import { followApp } from "./app-stream.ts";
import { startPolling } from "./live-query.ts";
import { setStreamState } from "./live-state.ts";

export function useLiveApp(appId: string | null): void {
  const mayStream = useMay("runs:read");
  useEffect(() => {
    if (appId === null) return undefined;
    if (mayStream) return followApp(appId);
    setStreamState("polling");
    return startPolling();
  }, [appId, mayStream]);
}
