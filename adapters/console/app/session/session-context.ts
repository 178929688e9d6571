/** The session, in components. */
import { createContext, useContext } from "react";
import type { ApiKeyScope } from "../../../../src/calls/caller.ts";
import { useTexts } from "../texts/language.ts";
import { hasScope, type Session } from "./session.ts";

export const SessionContext = createContext<Session | null>(null);

/** Only below a session. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("There is no session here.");
  return session;
}

/** Whether the session has a scope. The server checks it as well. */
export function useMay(scope: ApiKeyScope): boolean {
  return hasScope(useSession(), scope);
}

/** Why the session cannot do what a scope allows: what the server would refuse is not offered. */
export function useScopeRefusal(scope: ApiKeyScope): string | undefined {
  const { general } = useTexts();
  return useMay(scope) ? undefined : general.needsScope(scope);
}
