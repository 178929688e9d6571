/** Keeps the page up to date while it shows an app. */
import { useEffect } from "react";
import { followApp } from "./app-stream.ts";

export function useLiveApp(appId: string | null): void {
  useEffect(() => (appId === null ? undefined : followApp(appId)), [appId]);
}
