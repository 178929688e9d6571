/** Authenticates the caller of a request, and checks its access to the route. */
import { type ApiKeyScope, type AppCaller, type Caller, hasScope, userOf } from "../calls/caller.ts";
import { createIdentifyBearer, type VerifiedKey } from "../calls/identify-bearer.ts";
import type { IdentifySession, SessionIdentity } from "../calls/session-identity.ts";
import { notFound, StepwellError } from "../errors.ts";
import type { Hash } from "../ports/hash.ts";
import type { AnyRoute } from "./route.ts";

export interface Admission {
  readonly caller: Caller;
  /** Path parameters, with the id of the caller's app in place of `me`. */
  readonly params: Readonly<Record<string, string>>;
}

export type Authenticate = (
  route: AnyRoute,
  params: Readonly<Record<string, string>>,
  request: Request,
) => Promise<Admission>;

/** The slice that verifies keys. */
export interface HasKeys {
  readonly keys: {
    /** Returns null for a key that is unknown, revoked or expired. */
    verify(token: string): Promise<VerifiedKey | null>;
  };
}

const CREDENTIALS = /^bearer +([\w.~+/-]+=*)$/i;
const ANONYMOUS: Caller = { kind: "anonymous" };
/** Stands for the app of the caller in a path. */
const ME = "me";

interface Identity extends SessionIdentity {
  /** Why it may not call routes of any app. */
  readonly noApp: string;
}

const ADMIN_KEY: Identity = {
  admin: { kind: "admin" },
  inApp: () => null,
  noApp: "The admin key only manages apps and their keys. Use a key of the app for this route.",
};

export function createAuthenticate(parts: {
  slices: HasKeys;
  hash: Hash;
  adminKey: string | undefined;
  /** @default no request has a session */
  identifySession?: IdentifySession | undefined;
}): Authenticate {
  const { slices, identifySession = async () => null } = parts;
  const identifyBearer = createIdentifyBearer({ ...parts, keys: slices.keys });

  async function identifyToken(token: string): Promise<Identity> {
    const found = await identifyBearer(token);
    if (found === null) throw unauthorized("The API key is unknown, revoked or expired.", ', error="invalid_token"');
    if (found.admin) return ADMIN_KEY;
    const { id, name, app_id, scopes } = found.key;
    return { admin: null, inApp: () => ({ kind: "key", id, name, app_id, scopes }), noApp: "" };
  }

  /** A key wins over a session. */
  function identify(request: Request): Promise<Identity | null> {
    const token = tokenOf(request.headers);
    return token === null ? identifyBySession(request) : identifyToken(token);
  }

  async function identifyBySession(request: Request): Promise<Identity | null> {
    const session = await identifySession(request);
    return session === null ? null : { ...session, noApp: "Open an app first: POST /console/session with its app_id." };
  }

  return async (route, params, request) => {
    if (route.access === "open") return { caller: ANONYMOUS, params };
    const found = await identify(request);
    if (found === null) {
      if (route.access === "public" && params["app_id"] !== ME) return { caller: ANONYMOUS, params };
      throw unauthorized("This route needs an API key. Send the header Authorization: Bearer <API_KEY>.", "");
    }
    if (route.access === "admin") {
      if (found.admin !== null) return { caller: found.admin, params };
      throw new StepwellError("forbidden", "This route needs the admin key. The key of an app is not sufficient.");
    }
    const appId = params["app_id"];
    const caller = found.inApp(appId === ME ? undefined : appId);
    if (caller === null) throw new StepwellError("forbidden", found.noApp);
    return admit(route, params, request.headers, caller);
  };
}

/** @throws StepwellError `malformed` for several tokens; `unauthorized` for anything that is not a bearer token */
function tokenOf(headers: Headers): string | null {
  const value = headers.get("authorization");
  if (value === null) return null;
  const [, token] = CREDENTIALS.exec(value) ?? [];
  if (token !== undefined) return token;
  if (value.includes(",")) throw new StepwellError("malformed", "The Authorization header must be sent once.");
  throw unauthorized("The Authorization header must have the form Bearer <API_KEY>.", "");
}

function admit(
  route: AnyRoute,
  params: Readonly<Record<string, string>>,
  headers: Headers,
  caller: AppCaller,
): Admission {
  const { app_id } = caller;
  const appId = params["app_id"];
  const mine = appId === ME ? { ...params, app_id } : params;
  // Resources of another app don't exist for this caller, whatever its scopes are.
  if (mine["app_id"] !== undefined && mine["app_id"] !== app_id) throw notFound("app", mine["app_id"]);
  if (route.scope !== undefined && !hasScope(caller, route.scope)) throw insufficientScope(caller, route.scope);
  const user = userOf(headers);
  if (user === undefined) return { caller, params: mine };
  if (!hasScope(caller, "users:act")) throw insufficientScope(caller, "users:act");
  if (caller.user !== undefined) {
    throw new StepwellError(
      "forbidden",
      "The host names the user of this session. Omit the headers that name another.",
    );
  }
  return { caller: { ...caller, user }, params: mine };
}

function insufficientScope({ kind }: AppCaller, scope: ApiKeyScope): StepwellError {
  const what = kind === "key" ? "API key" : "session";
  return new StepwellError("forbidden", `The ${what} does not have the scope ${scope}.`, {
    headers: { "www-authenticate": `Bearer realm="stepwell", error="insufficient_scope", scope="${scope}"` },
  });
}

function unauthorized(message: string, reason: string): StepwellError {
  return new StepwellError("unauthorized", message, {
    headers: { "www-authenticate": `Bearer realm="stepwell"${reason}` },
  });
}
