/** Who acts in a session of the console. */
import type { AppCaller, Caller } from "./caller.ts";

export interface SessionIdentity {
  /** The caller of routes for admins; null if the session is not that of an admin. */
  readonly admin: Extract<Caller, { kind: "admin" }> | null;
  /**
   * Returns the caller of routes of an app; null if the session may call none.
   * @param appId The app in the path; undefined for the app of the session.
   */
  inApp(appId: string | undefined): AppCaller | null;
}

/** Returns null for a request without a session, and for one that another site has caused. */
export type IdentifySession = (request: Request) => Promise<SessionIdentity | null>;
