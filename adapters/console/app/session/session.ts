/** Who uses the page. */
import type { ApiKeyScope } from "../../../../src/calls/caller.ts";
import type { ConsoleSession as Session, SessionState as SessionAnswer } from "../../../../src/console/session.ts";
import { codeOfStatus, StepwellError } from "../../../../src/errors.ts";
import { isRecord } from "../../../../src/json.ts";
import { urlOf } from "../routing/location.ts";
import { CONSOLE_HEADERS } from "../server/client.ts";
import { PATIENCE_MS } from "../server/connection.ts";

export type { Session, SessionAnswer };

async function call(method: string, body?: object, signal?: AbortSignal): Promise<SessionAnswer> {
  const response = await fetch(urlOf("/session"), {
    method,
    signal: signal ?? null,
    credentials: "same-origin",
    headers: { ...CONSOLE_HEADERS, accept: "application/json", "content-type": "application/json" },
    ...(body === undefined ? undefined : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new StepwellError("unavailable", "The server cannot be reached.", { cause });
  });
  // A key that is too long is none, as well.
  if (response.status >= 400 && response.status < 500) throw new SessionRefused(response.status);
  if (!response.ok) throw new SessionUnavailable(await sentenceOf(response));
  return response.status === 204 ? { session: null, sign_in: null } : ((await response.json()) as SessionAnswer);
}

/** The server does not accept what was presented. */
export class SessionRefused extends StepwellError {
  constructor(status: number) {
    super(codeOfStatus(status) ?? "invalid", `The server has refused the session with ${status}.`);
  }
}

/** The server has responded, and cannot say now who is signed in. */
export class SessionUnavailable extends StepwellError {
  /** What the server says of it; null for the response of a proxy. */
  readonly sentence: string | null;
  constructor(sentence: string | null) {
    super("unavailable", sentence ?? "The response is not the server's.", {
      headers: sentence === null ? {} : { "content-type": "application/problem+json" },
    });
    this.sentence = sentence;
  }
}

async function sentenceOf(response: Response): Promise<string | null> {
  const body: unknown = await response.json().catch(() => null);
  return isRecord(body) && typeof body["detail"] === "string" ? body["detail"] : null;
}

export const readSession = (signal?: AbortSignal) =>
  call(
    "GET",
    undefined,
    AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(signal === undefined ? [] : [signal])]),
  );
export const signInWithKey = (key: string) => call("POST", { key });
/** @param mayReplace Whether it ends the session of somebody else; if not, it is refused with `conflict`. */
export const signInOnce = (once: string, mayReplace: boolean) =>
  call("POST", mayReplace ? { once, replace: true } : { once });
/** For an admin: makes an app that of the session. */
export const openApp = (appId: string) => call("POST", { app_id: appId });
export const signOut = () => call("DELETE", undefined, AbortSignal.timeout(PATIENCE_MS));

/** Whether a session no longer opens what another one has opened. An admin keeps the apps that were opened before. */
export const isOtherApp = (before: Session, now: Session): boolean =>
  before.app_id !== now.app_id && !(before.admin && now.admin);

/** Whether the page of a session is none for another one. A key may replace one of the same app. */
export const isSomebodyElse = (before: Session, now: Session): boolean =>
  isOtherApp(before, now) || (before.kind === "host" && now.kind === "host" && before.person !== now.person);

/** Whether what one session was about to do may be done with another one. Whom the host does not name may be anybody. */
export const isSamePerson = (before: Session, now: Session): boolean =>
  !isOtherApp(before, now) &&
  before.kind === now.kind &&
  before.person === now.person &&
  (now.kind !== "host" || now.person !== null);

/** Whether two answers of the server are about one session. An admin opens apps in it. */
export const isSameSession = (one: Session, other: Session): boolean =>
  one.kind === other.kind &&
  one.person === other.person &&
  one.name === other.name &&
  (one.admin ? other.admin : one.app_id === other.app_id) &&
  JSON.stringify(one.scopes) === JSON.stringify(other.scopes);

/** Whose it is what is typed and kept in the browser: nobody gets what others have typed. */
export const ownerOf = ({ kind, person }: Session): string => JSON.stringify([kind, person]);

export function hasScope(session: Session, scope: ApiKeyScope): boolean {
  return session.scopes === null || session.scopes.includes(scope);
}
