/** Authenticates the caller of a request, and checks its access to the route. */
import { type ApiKeyScope, type Caller, hasScope, userOf } from "../calls/caller.ts";
import { notFound, StepwellError } from "../errors.ts";
import type { Hash } from "../ports/hash.ts";
import type { AnyRoute } from "./route.ts";

export interface Admission {
  readonly caller: Caller;
  /** Path parameters, with the id of the key's app in place of `me`. */
  readonly params: Readonly<Record<string, string>>;
}

export type Authenticate = (
  route: AnyRoute,
  params: Readonly<Record<string, string>>,
  headers: Headers,
) => Promise<Admission>;

/** A valid API key. */
interface Key {
  readonly id: string;
  readonly name: string;
  readonly app_id: string;
  /** Null if the key may do everything in its app. */
  readonly scopes: readonly ApiKeyScope[] | null;
}

/** The slice that verifies keys. */
export interface HasKeys {
  readonly keys: {
    /** Returns null for a key that is unknown, revoked or expired. */
    verify(token: string): Promise<Key | null>;
  };
}

type Bearer = { readonly admin: true } | { readonly admin: false; readonly key: Key };

const CREDENTIALS = /^bearer +([\w.~+/-]+=*)$/i;
const ANONYMOUS: Caller = { kind: "anonymous" };
/** Stands for the app of the key in a path. */
const ME = "me";

export function createAuthenticate(parts: { slices: HasKeys; hash: Hash; adminKey: string | undefined }): Authenticate {
  const { slices, hash, adminKey } = parts;
  // Digests have a fixed length, so the comparison reveals nothing about the key.
  const adminDigest = adminKey === undefined || adminKey === "" ? null : hash.sha256(adminKey);
  const isAdmin = (token: string) => adminDigest !== null && hash.equal(hash.sha256(token), adminDigest);

  async function bearer(token: string): Promise<Bearer> {
    const key = await slices.keys.verify(token);
    if (key !== null) return { admin: false, key };
    if (isAdmin(token)) return { admin: true };
    throw unauthorized("The API key is unknown, revoked or expired.", ', error="invalid_token"');
  }

  return async (route, params, headers) => {
    if (route.access === "open") return { caller: ANONYMOUS, params };
    const token = tokenOf(headers);
    if (token === null) {
      if (route.access === "public" && params["app_id"] !== ME) return { caller: ANONYMOUS, params };
      throw unauthorized("This route needs an API key. Send the header Authorization: Bearer <API_KEY>.", "");
    }
    const found = await bearer(token);
    if (route.access === "admin") {
      if (found.admin) return { caller: { kind: "admin" }, params };
      throw new StepwellError("forbidden", "This route needs the admin key. The key of an app is not sufficient.");
    }
    if (found.admin) {
      throw new StepwellError(
        "forbidden",
        "The admin key only manages apps and their keys. Use a key of the app for this route.",
      );
    }
    return admit(route, params, headers, found.key);
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
  { id, name, app_id, scopes }: Key,
): Admission {
  const appId = params["app_id"];
  const mine = appId === ME ? { ...params, app_id } : params;
  // Resources of another app don't exist for this key, whatever its scopes are.
  if (mine["app_id"] !== undefined && mine["app_id"] !== app_id) throw notFound("app", mine["app_id"]);
  const key: Caller = { kind: "key", id, name, app_id, scopes };
  if (route.scope !== undefined && !hasScope(key, route.scope)) throw insufficientScope(route.scope);
  const user = userOf(headers);
  if (user !== undefined && !hasScope(key, "users:act")) throw insufficientScope("users:act");
  return { caller: user === undefined ? key : { ...key, user }, params: mine };
}

function insufficientScope(scope: ApiKeyScope): StepwellError {
  return new StepwellError("forbidden", `The API key does not have the scope ${scope}.`, {
    headers: { "www-authenticate": `Bearer realm="stepwell", error="insufficient_scope", scope="${scope}"` },
  });
}

function unauthorized(message: string, reason: string): StepwellError {
  return new StepwellError("unauthorized", message, {
    headers: { "www-authenticate": `Bearer realm="stepwell"${reason}` },
  });
}
