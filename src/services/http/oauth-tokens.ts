/** Access tokens by OAuth 2 client credentials (RFC 6749 §4.4), kept in memory until they expire. */
import type { HttpRequestOptions, TokenEndpointResponse } from "oauth4webapi";
import { KIBIBYTE } from "../../encoding/bytes.ts";
import { isStepwellError } from "../../errors.ts";
import { isTransientStatus } from "../../net/transient-status.ts";
import type { Clock } from "../../ports/clock.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../time/units.ts";
import { unlessAborted } from "../../time/unless-aborted.ts";
import { ActionError } from "../action-error.ts";
import type { OAuthCredentials } from "./credentials.ts";

export interface OAuthTokens {
  /**
   * Returns a token that is valid for a while. Concurrent callers share one request.
   * @throws ActionError `authorization_failed`
   */
  get(credentials: OAuthCredentials, context: TokenContext): Promise<AccessToken>;
  /** Returns another token than one that the API has refused, unless the server gives the same again. */
  renew(credentials: OAuthCredentials, context: TokenContext, refused: AccessToken): Promise<AccessToken>;
}

export interface TokenContext {
  readonly app_id: string;
  readonly fetch: GuardedFetch;
  readonly signal: AbortSignal;
}

export interface AccessToken {
  readonly value: string;
  /** Milliseconds since 1970 from which another one is requested. */
  readonly renewAt: number;
}

const MAX_TOKENS = 1_000;
const MAX_RESPONSE_BYTES = 256 * KIBIBYTE;
/** The longest time that a token is kept, also if the server does not say how long it is valid. */
const MAX_AGE_MS = HOUR_MS;
/** A token is renewed so long before its end, or after nine tenths of a short life. */
const RENEWAL_MS = MINUTE_MS;
const SHARE_OF_LIFE = 0.9;

export function createOAuthTokens(clock: Clock): OAuthTokens {
  const tokens = new Map<string, Promise<AccessToken>>();

  function start(key: string, credentials: OAuthCredentials, fetch: GuardedFetch): Promise<AccessToken> {
    const [oldest] = tokens.keys();
    if (tokens.size >= MAX_TOKENS && oldest !== undefined) tokens.delete(oldest);
    const token = requestToken(credentials, fetch, clock);
    tokens.set(key, token);
    token.catch(() => {
      if (tokens.get(key) === token) tokens.delete(key);
    });
    return token;
  }

  async function current(
    credentials: OAuthCredentials,
    { app_id, fetch, signal }: TokenContext,
    isUsable: (token: AccessToken) => boolean,
  ): Promise<AccessToken> {
    const key = JSON.stringify([app_id, credentials]);
    const known = tokens.get(key);
    if (known !== undefined) {
      const token = await unlessAborted(known, signal);
      if (isUsable(token)) return token;
      if (tokens.get(key) === known) tokens.delete(key);
    }
    // Without the caller's signal, because others may wait for the same token.
    return unlessAborted(tokens.get(key) ?? start(key, credentials, fetch), signal);
  }

  return {
    get: (credentials, context) => current(credentials, context, ({ renewAt }) => renewAt > clock.now()),
    renew: (credentials, context, refused) => current(credentials, context, (token) => token !== refused),
  };
}

async function requestToken(credentials: OAuthCredentials, fetch: GuardedFetch, clock: Clock): Promise<AccessToken> {
  const oauth = await import("oauth4webapi");
  const { token_url, client_id, client_secret, client_auth, scope, audience } = credentials;
  const server = { issuer: new URL(token_url).origin, token_endpoint: token_url };
  const client = { client_id };
  const authentication =
    client_auth === "body" ? oauth.ClientSecretPost(client_secret) : oauth.ClientSecretBasic(client_secret);
  const parameters = new URLSearchParams();
  if (scope !== undefined) parameters.set("scope", scope);
  if (audience !== undefined) parameters.set("audience", audience);
  const options: HttpRequestOptions<"POST", URLSearchParams> = {
    // The guarded fetch decides which addresses are allowed, http within an intranet too.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: (url, { body, headers }) =>
      fetch(url, {
        method: "POST",
        headers,
        body: body.toString(),
        maxRedirects: 0,
        maxBytes: MAX_RESPONSE_BYTES,
      }),
  };
  try {
    const response = await oauth.clientCredentialsGrantRequest(server, client, authentication, parameters, options);
    return tokenOf(await oauth.processClientCredentialsResponse(server, client, response), clock.now());
  } catch (error) {
    throw authorizationError(error, token_url);
  }
}

function tokenOf({ access_token, token_type, expires_in }: TokenEndpointResponse, now: number): AccessToken {
  if (token_type !== "bearer") {
    throw new Error(`the token is of type ${JSON.stringify(token_type.slice(0, 40))}, not bearer`);
  }
  const lifeMs = expires_in === undefined ? MAX_AGE_MS : expires_in * SECOND_MS;
  const keptMs = Math.min(Math.max(lifeMs - RENEWAL_MS, lifeMs * SHARE_OF_LIFE), MAX_AGE_MS);
  return { value: access_token, renewAt: now + keptMs };
}

function authorizationError(error: unknown, tokenUrl: string): unknown {
  if (isStepwellError(error)) return error; // an address or connection problem, which the guarded fetch has described
  const { host } = new URL(tokenUrl);
  const status = statusIn(error);
  const reason = error instanceof Error ? error.message : String(error);
  const message = `${host} returned no access token${status === undefined ? "" : ` (${status})`}: ${reason.slice(0, 500)}`;
  return new ActionError("authorization_failed", message, {
    retryable: status !== undefined && isTransientStatus(status),
    cause: error,
  });
}

function statusIn(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("status" in error && typeof error.status === "number") return error.status;
  return error.cause instanceof Response ? error.cause.status : undefined;
}
