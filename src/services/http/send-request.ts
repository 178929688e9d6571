/** Sends a request of the service `http`, with the credentials of a connection. */
import { checkUrl } from "../../net/check-request.ts";
import { parseWebUrl } from "../../net/web-url.ts";
import { SECOND_MS } from "../../time/units.ts";
import { ActionError } from "../action-error.ts";
import type { ActionContext } from "../service.ts";
import { type HttpCredentials, originsOf, type Target, withCredentials } from "./credentials.ts";
import type { AccessToken, OAuthTokens } from "./oauth-tokens.ts";
import { type BodyFields, type Pairs, parametersOf, type RequestBody, requestBody } from "./request-body.ts";

export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody | undefined;
  readonly maxBytes: number;
  /** Seconds until the response must begin. */
  readonly responseTimeout: number;
}

interface RequestFields extends BodyFields {
  readonly method?: string | undefined;
  readonly url: string;
  readonly query?: Pairs | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly response_timeout: number;
}

/** @throws ActionError `invalid`, `address_refused`; StepwellError `not_found` for an unknown file */
export async function outgoingRequest(
  fields: RequestFields,
  context: Connected,
  maxBytes: number,
): Promise<OutgoingRequest> {
  const { method, url, query = {}, headers = {}, response_timeout } = fields;
  const body = await requestBody(fields, context);
  return {
    method: method ?? (body === undefined ? "GET" : "POST"),
    url: resolveUrl(url, query, context.connection),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body,
    maxBytes,
    responseTimeout: response_timeout,
  };
}

export interface Connected extends ActionContext {
  readonly connection: HttpCredentials | undefined;
}

/**
 * The URL of a request: relative ones continue the connection's `base_url`.
 * @throws ActionError `invalid`; `address_refused` for an origin that must not get the credentials
 */
function resolveUrl(text: string, query: Pairs, connection: HttpCredentials | undefined): URL {
  const isRelative = !/^[a-z][a-z0-9+.-]*:/i.test(text);
  if (isRelative && connection === undefined) {
    throw new ActionError("invalid", `${quoted(text)} is relative. Use a URL with https://, or a connection.`);
  }
  const whole = isRelative ? `${connection?.base_url.replace(/\/$/, "")}/${text.replace(/^\//, "")}` : text;
  const parsed = parseWebUrl(whole);
  if (parsed === null) throw new ActionError("invalid", `${quoted(text)} is not a valid URL.`);
  const url = checkUrl(parsed);
  checkOrigin(url, connection);
  for (const [name, value] of parametersOf(query)) url.searchParams.append(name, value);
  return url;
}

/** @throws ActionError `address_refused` */
export function checkOrigin({ origin }: URL, connection: HttpCredentials | undefined): void {
  const allowed = connection === undefined ? [origin] : originsOf(connection);
  if (allowed.includes(origin)) return;
  const message = `${origin} must not receive the credentials of the connection, which are for ${allowed.join(", ")}. Add it to the origins of the connection.`;
  throw new ActionError("address_refused", message);
}

/** @throws StepwellError as the guarded fetch does, ActionError `authorization_failed` */
export async function sendRequest(
  request: OutgoingRequest,
  context: Connected,
  tokens: OAuthTokens,
): Promise<Response> {
  const { connection } = context;
  if (connection === undefined) return send(request, request, context);
  if (connection.type !== "oauth2") return send(request, withCredentials(request, connection), context);
  const authorized = (token: AccessToken) => withCredentials(request, { type: "bearer", token: token.value });
  const first = await tokens.get(connection, context);
  const response = await send(request, authorized(first), context);
  if (response.status !== 401) return response;
  // The server may have revoked the token. It did nothing, so the request can be sent again.
  const second = await tokens.renew(connection, context, first).catch(async (error: unknown) => {
    await response.body?.cancel();
    throw error;
  });
  if (second.value === first.value) return response;
  await response.body?.cancel();
  return send(request, authorized(second), context);
}

function send(
  { method, body, maxBytes, responseTimeout }: OutgoingRequest,
  { url, headers }: Target,
  { fetch, signal, idempotencyKey }: ActionContext,
): Promise<Response> {
  const type = body === undefined ? {} : { "content-type": body.type };
  return fetch(url.href, {
    method,
    headers: { "idempotency-key": idempotencyKey, ...type, ...headers },
    body: body?.content,
    signal,
    timeoutMs: responseTimeout * SECOND_MS,
    maxBytes,
  });
}

const quoted = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
