/** Finds the session of a request: that of the host, else that of the cookie. */
import type { AppCaller, CallerSession } from "../calls/caller.ts";
import type { IdentifySession, SessionIdentity } from "../calls/session-identity.ts";
import { isStepwellError, StepwellError } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import type { ConsoleKeys } from "./apps-and-keys.ts";
import type { SessionCookie } from "./cookie.ts";
import type { HostAnswer, HostSessions } from "./host-session.ts";
import { isOwnPage } from "./own-page.ts";
import type { ConsoleSession, StoredSession } from "./session.ts";
import type { Sessions } from "./sessions.ts";
import { SPEAKER, speakerOf } from "./speaker.ts";

/** A session that is valid now. */
export interface Found {
  readonly identity: SessionIdentity;
  readonly view: ConsoleSession;
  /** What is stored of it; null if only the host knows it. */
  readonly stored: StoredSession | null;
  /** Whether the host knows the person. What the cookie names has no effect then. */
  readonly isOfHost: boolean;
}

export interface Identify {
  /** Returns null for a request without a session, with a key, or that another site has caused. */
  find(request: Request): Promise<Found | null>;
  readonly identify: IdentifySession;
}

export function createIdentify(parts: {
  sessions: Sessions;
  hostSessions: HostSessions;
  keys: ConsoleKeys;
  cookie: SessionCookie;
  clock: Clock;
  /** Origin of the public URL. */
  origin: string;
}): Identify {
  const { sessions, hostSessions, keys, cookie, clock, origin } = parts;

  const watchOf = (stored: StoredSession): CallerSession => ({
    watch: (controller) => sessions.watch(stored, controller),
  });

  async function ofKey(stored: StoredSession, appId: string, keyId: string): Promise<Found | null> {
    const key = await keys.get(appId, keyId).catch((error: unknown) => {
      if (isStepwellError(error, "not_found")) return null;
      throw error;
    });
    if (key === null || (key.expires_at !== null && Date.parse(key.expires_at) <= clock.now())) return null;
    const { id, name, app_id, scopes } = key;
    const caller: AppCaller = { kind: "key", id, name, app_id, scopes, session: watchOf(stored) };
    const { expires_at } = stored;
    return {
      stored,
      isOfHost: false,
      identity: { admin: null, inApp: () => caller },
      view: { kind: "key", admin: false, app_id, name, person: id, scopes, expires_at },
    };
  }

  function ofAdmin(session: CallerSession, opened: readonly string[]): SessionIdentity {
    return {
      admin: { kind: "admin", session },
      inApp(appId) {
        const [last] = opened;
        const app_id = appId !== undefined && opened.includes(appId) ? appId : last;
        return app_id === undefined ? null : { kind: "session", app_id, scopes: null, session };
      },
    };
  }

  async function ofCookie(stored: StoredSession): Promise<Found | null> {
    const { grant, expires_at } = stored;
    if (grant.kind === "opened") return null;
    if (grant.kind === "key") return ofKey(stored, grant.app_id, grant.key_id);
    const { name } = grant;
    if (grant.kind === "admin") {
      const app_id = grant.opened[0] ?? null;
      return {
        stored,
        isOfHost: false,
        identity: ofAdmin(watchOf(stored), grant.opened),
        view: { kind: "admin", admin: true, app_id, name, person: name, scopes: null, expires_at },
      };
    }
    const { app_id, scopes } = grant;
    const caller: AppCaller = { kind: "session", app_id, scopes, session: watchOf(stored) };
    return {
      stored,
      isOfHost: false,
      identity: { admin: null, inApp: () => caller },
      view: { kind: "host", admin: false, app_id, name, person: name, scopes, expires_at },
    };
  }

  function ofHost(request: Request, answer: HostAnswer, stored: StoredSession | null): Found {
    const session: CallerSession = { watch: async (controller) => hostSessions.watch(request, answer, controller) };
    const { name } = answer;
    if (answer.admin) {
      const opened = stored?.grant.kind === "opened" ? stored.grant.opened : [];
      const app_id = opened[0] ?? null;
      return {
        stored: stored?.grant.kind === "opened" ? stored : null,
        isOfHost: true,
        identity: ofAdmin(session, opened),
        view: { kind: "host", admin: true, app_id, name, person: name, scopes: null, expires_at: null },
      };
    }
    const { app_id, scopes, user } = answer;
    const caller: AppCaller = { kind: "session", app_id, scopes, session, ...omitUndefined({ user }) };
    return {
      stored: null,
      isOfHost: true,
      identity: { admin: null, inApp: () => caller },
      view: {
        kind: "host",
        admin: false,
        app_id,
        name: name ?? user?.name ?? null,
        person: user?.id ?? name,
        scopes,
        expires_at: null,
      },
    };
  }

  async function find(request: Request): Promise<Found | null> {
    if (request.headers.has("authorization") || !isOwnPage(request, origin)) return null;
    const stored = await sessions.find(cookie.read(request.headers));
    const answer = await hostSessions.ask(request);
    const found = answer !== null ? ofHost(request, answer, stored) : stored === null ? null : await ofCookie(stored);
    const speaker = request.headers.get(SPEAKER);
    // What somebody has typed is not sent with the session of somebody else.
    return found !== null && speaker !== null && speaker !== speakerOf(found.view) ? null : found;
  }

  return {
    find,
    async identify(request) {
      const found = await find(request);
      // What anybody may read would look like all there is.
      if (found === null && request.headers.has(SPEAKER))
        throw new StepwellError(
          "unauthorized",
          "The session of this page has ended, or is another one. Sign in again.",
        );
      return found?.identity ?? null;
    },
  };
}
