/** Opens and ends sessions of the console. */
import * as v from "valibot";
import { SCOPES } from "../calls/caller.ts";
import type { IdentifyBearer } from "../calls/identify-bearer.ts";
import { isStepwellError, StepwellError } from "../errors.ts";
import { isRecord } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import { checkOptions, list, strictObject } from "../schema.ts";
import { DAY_SECONDS, SECOND_MS } from "../time/units.ts";
import type { ConsoleApps } from "./apps-and-keys.ts";
import type { SessionCookie } from "./cookie.ts";
import { sessionFunctionFailed } from "./host-session.ts";
import type { Found, Identify } from "./identify.ts";
import { isOwnPage } from "./own-page.ts";
import type { ConsoleSession, Grant, SessionState, SignIn, StoredSession } from "./session.ts";
import type { Opened, Sessions } from "./sessions.ts";
import type { WebConsole } from "./web-console.ts";

/** What the page learns, and the cookie that goes with it. */
export interface SignedIn {
  readonly state: SessionState;
  /** The header Set-Cookie; null if it does not change. */
  readonly cookie: string | null;
}

export interface SignInFunctions {
  show(request: Request): Promise<SessionState>;
  /** @throws StepwellError `unauthorized`; `forbidden` for a request of another site, and an app for which no admin asks; `conflict` for a token over the session of somebody else */
  signIn(request: Request, given: SignIn): Promise<SignedIn>;
  /** Returns the header Set-Cookie. @throws StepwellError `forbidden` for a request of another site */
  signOut(request: Request): Promise<string>;
  createSignIn(options: SignInLinkCreate): Promise<SignInLink>;
}

const DEFAULT_SECONDS = 600;
const Seconds = v.optional(
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(DAY_SECONDS, "Must be at most 86400 seconds, a day.")),
  DEFAULT_SECONDS,
);

const Name = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200, "Must have at most 200 characters."))), null);

const AppLink = strictObject({
  /** Whether the session may also manage apps and keys, and open any app. @default false */
  admin: v.optional(v.literal(false, "Must be true or false."), false),
  /** App that the session opens. */
  app_id: v.string(),
  /** What the session may do in the app; null for everything. @default null */
  scopes: v.optional(v.nullable(list(v.picklist(SCOPES))), null),
  /** Name that the console shows, of at most 200 characters. @default none */
  name: Name,
  /** Seconds in which the address can be opened, at most a day. @default 600 */
  expires_in: Seconds,
});
const AdminLink = strictObject({
  /** The session may manage apps and keys, and open any app. */
  admin: v.literal(true),
  /** App that the session opens first. @default none */
  app_id: v.optional(v.string()),
  /** The session may do everything in every app. @default null */
  scopes: v.optional(v.null("Must be omitted with admin: the session may do everything in every app."), null),
  /** Name that the console shows, of at most 200 characters. @default none */
  name: Name,
  /** Seconds in which the address can be opened, at most a day. @default 600 */
  expires_in: Seconds,
});
/** What an address opens: one app, or everything for an admin. */
export type SignInLinkCreate = Readonly<v.InferInput<typeof AppLink>> | Readonly<v.InferInput<typeof AdminLink>>;

/** The union of both would report what is missing of the other form. */
function checkLink(options: unknown): v.InferOutput<typeof AppLink> | v.InferOutput<typeof AdminLink> {
  if (isRecord(options) && options["admin"] === true) return checkOptions(AdminLink, options);
  if (isRecord(options) && options["app_id"] === undefined && !options["admin"])
    throw invalid([{ pointer: "/app_id", message: "Required without admin." }]);
  return checkOptions(AppLink, options);
}

/** Whether a link goes on with the session of the browser. People without a name may be anybody. */
function isSamePerson({ kind, person, app_id }: ConsoleSession, grant: Grant): boolean {
  if (grant.kind === "admin") return kind === "admin" && person === grant.name;
  return (
    grant.kind === "host" && kind === "host" && grant.name !== null && person === grant.name && app_id === grant.app_id
  );
}

const mayReadWorkflows = ({ scopes }: ConsoleSession) => scopes === null || scopes.includes("workflows:read");

/** An address that opens a session in a browser, once. */
export interface SignInLink {
  /** URL of the console. It signs in the first browser that opens it. */
  readonly url: string;
  /** When it expires, ISO 8601. */
  readonly expires_at: string;
}

export function createSignInFunctions(parts: {
  sessions: Sessions;
  find: Identify["find"];
  cookie: SessionCookie;
  apps: ConsoleApps;
  identifyBearer: IdentifyBearer;
  clock: Clock;
  baseUrl: string;
  origin: string;
  signIn: string | undefined;
  workflowFiles: WebConsole["workflowFiles"];
}): SignInFunctions {
  const { sessions, find, cookie, apps, identifyBearer, clock, baseUrl, origin, workflowFiles } = parts;
  const sign_in = parts.signIn ?? null;

  function requireOwnPage(request: Request): void {
    if (isOwnPage(request, origin)) return;
    throw new StepwellError(
      "forbidden",
      "Only the page of the console may call this: with the header Stepwell-Console: 1, from the origin of baseUrl.",
    );
  }

  async function show(request: Request): Promise<SessionState> {
    const found = await find(request);
    const session = found === null ? null : await viewNow(found);
    if (workflowFiles === undefined) return { session, sign_in };
    if (session === null) return { session, sign_in, workflow_files: [] };
    const all = mayReadWorkflows(session) ? await workflowFiles() : [];
    return { session, sign_in, workflow_files: all.filter(({ app_id }) => session.admin || app_id === session.app_id) };
  }

  /** The session without its app, if that is deleted: its keys are deleted in the background, and an admin opens another. */
  async function viewNow({ view, stored }: Found): Promise<ConsoleSession | null> {
    const { app_id, admin } = view;
    if (app_id === null || (await exists(app_id))) return view;
    if (admin) return { ...view, app_id: null };
    if (stored !== null) return null;
    throw sessionFunctionFailed(new Error(`It returned app_id ${JSON.stringify(app_id)}. There is no such app.`));
  }

  async function exists(appId: string): Promise<boolean> {
    try {
      await apps.get(appId);
      return true;
    } catch (error) {
      if (isStepwellError(error, "not_found")) return false;
      throw error;
    }
  }

  /** The state with another cookie. Ends the session of the one before, which no browser has any longer. */
  async function replaceSession(request: Request, { token, session }: Opened): Promise<SignedIn> {
    const before = await storedOf(request);
    if (before !== null) await sessions.end(before);
    const seconds = Math.max(1, Math.floor((Date.parse(session.expires_at) - clock.now()) / SECOND_MS));
    const headers = cookie.replaceIn(request.headers, token);
    const state = await show(new Request(request.url, { headers, signal: request.signal }));
    return { state, cookie: cookie.write(token, seconds) };
  }

  async function openWithKey(key: string): Promise<Opened> {
    const bearer = await identifyBearer(key);
    if (bearer === null) throw new StepwellError("unauthorized", "The API key is unknown, revoked or expired.");
    if (bearer.admin) return sessions.create({ kind: "admin", name: null, opened: [] }, null);
    const { id, app_id, expires_at } = bearer.key;
    return sessions.create({ kind: "key", app_id, key_id: id }, expires_at);
  }

  async function openOnce(token: string, found: Found | null, mayReplace: boolean): Promise<Opened> {
    const opened = await sessions.redeem(token, (grant) => {
      // Anybody can send people to an address that signs them in as somebody else.
      if (found === null || mayReplace || isSamePerson(found.view, grant)) return;
      throw new StepwellError(
        "conflict",
        "The browser has the session of somebody else. Send replace: true to end it.",
      );
    });
    const { grant } = opened.session;
    if (grant.kind !== "host" || (await exists(grant.app_id))) return opened;
    await sessions.end(opened.session);
    throw new StepwellError("unauthorized", "The app of this address was deleted.");
  }

  async function openApp(request: Request, appId: string): Promise<SignedIn> {
    const found = await find(request);
    if (found === null) throw new StepwellError("unauthorized", "There is no session. Sign in with the admin key.");
    if (!found.view.admin) throw new StepwellError("forbidden", "Only the session of an admin can open another app.");
    await apps.get(appId);
    if (found.stored === null)
      return replaceSession(request, await sessions.create({ kind: "opened", opened: [appId] }, null));
    await sessions.open(found.stored, appId);
    return { state: await show(request), cookie: null };
  }

  /** The session that the cookie of a request names. Does not check who may use it. */
  const storedOf = (request: Request): Promise<StoredSession | null> => sessions.find(cookie.read(request.headers));

  return {
    show,

    async signIn(request, { app_id, key, once = "", replace = false }) {
      requireOwnPage(request);
      if (app_id !== undefined) return openApp(request, app_id);
      // It would open what the host has closed when the person signs out there.
      const found = await find(request);
      if (found?.isOfHost === true) return { state: await show(request), cookie: null };
      return replaceSession(request, await (key === undefined ? openOnce(once, found, replace) : openWithKey(key)));
    },

    async signOut(request) {
      requireOwnPage(request);
      const stored = await storedOf(request);
      if (stored !== null) await sessions.end(stored);
      return cookie.clear();
    },

    async createSignIn(options) {
      const link = checkLink(options);
      const { app_id, name, expires_in } = link;
      if (app_id !== undefined) await apps.get(app_id);
      const opened = app_id === undefined ? [] : [app_id];
      const { token, expires_at } = await sessions.createOnce(
        link.admin ? { kind: "admin", name, opened } : { kind: "host", app_id: link.app_id, scopes: link.scopes, name },
        expires_in,
      );
      return { url: `${baseUrl}/console/?once=${token}`, expires_at };
    },
  };
}
