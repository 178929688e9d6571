/** The app of the address: an admin opens it with the address, in each tab. */
import { useEffect, useState } from "react";
import { openApp, readSession, type SessionAnswer, SessionRefused } from "./session.ts";
import { useSession } from "./session-context.ts";

export interface AddressApp {
  /** `foreign`: there is no such app, or the session is one of another app. `failed`: the server could not be asked. */
  readonly state: "open" | "opening" | "foreign" | "failed";
  /** Why the server could not be asked; null if it could. */
  readonly error: unknown;
  /** Asks the server again. */
  readonly retry: () => void;
}

/** @param appId App of the address; null if it has none. */
export function useAddressApp(appId: string | null, onSession: (answer: SessionAnswer) => void): AddressApp {
  const { admin, app_id } = useSession();
  const [refusal, setRefusal] = useState<{ readonly appId: string; readonly error: unknown } | null>(null);
  const wanted = admin && appId !== null && appId !== app_id ? appId : null;
  const isRefused = refusal !== null && refusal.appId === wanted;
  useEffect(() => {
    if (wanted === null || isRefused) return undefined;
    let isCurrent = true;
    const settle = (act: () => void) => {
      if (isCurrent) act();
    };
    open(wanted).then(
      (answer) => settle(() => onSession(answer)),
      (error: unknown) => settle(() => setRefusal({ appId: wanted, error })),
    );
    return () => {
      isCurrent = false;
    };
  }, [wanted, isRefused, onSession]);
  const retry = () => setRefusal(null);
  const shared = { error: isRefused ? refusal.error : null, retry };
  if (isRefused) return { ...shared, state: refusal.error instanceof SessionRefused ? "foreign" : "failed" };
  if (wanted !== null) return { ...shared, state: "opening" };
  const isOwn = appId === null || appId === app_id || appId === "me";
  return { ...shared, state: isOwn ? "open" : "foreign" };
}

/** The session with the app. If it has ended meanwhile, what the server says of it now. */
async function open(appId: string): Promise<SessionAnswer> {
  try {
    return await openApp(appId);
  } catch (error) {
    if (error instanceof SessionRefused && error.status === 401) return readSession();
    throw error;
  }
}
