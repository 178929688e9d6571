/** The credentials of a connection of the service `http`, and how a request carries them. */
import * as v from "valibot";
import { toBase64 } from "../../encoding/base64.ts";
import { parseWebUrl } from "../../net/web-url.ts";
import { list, WRITE_ONLY } from "../../schema.ts";
import { isHeaderName, isHeaderValue } from "./header.ts";

const shortText = (title: string, description: string) =>
  v.pipe(
    v.string(),
    v.minLength(1, "Must not be empty."),
    v.maxLength(16_384, "Must have at most 16384 characters."),
    v.title(title),
    v.description(description),
  );
const secretText = (title: string, description: string) => v.pipe(shortText(title, description), WRITE_ONLY);
const headerText = (title: string, description: string) =>
  v.pipe(
    secretText(title, description),
    v.check(isHeaderValue, "Must have no line break, and only characters up to U+00FF."),
  );
const kind = <const Name extends string>(name: Name, title: string) => v.pipe(v.literal(name), v.title(title));
const webUrl = (title: string, description: string) =>
  v.pipe(
    v.string(),
    v.maxLength(2_048, "Must have at most 2048 characters."),
    v.check((text) => isWebUrl(text), "Must be a URL with http: or https:, without user name, query and fragment."),
    v.title(title),
    v.description(description),
  );

const common = {
  base_url: webUrl(
    "Base URL",
    "Base URL of the API. Stepwell appends relative URLs of steps to it, and sends requests only to its origin.",
  ),
  origins: v.optional(
    v.pipe(
      list(webUrl("Origin", "An origin such as https://files.example.com.")),
      v.maxLength(20, "Must have at most 20 items."),
      v.title("Additional origins"),
      v.description("Additional origins that may receive the credentials."),
    ),
  ),
} as const;

/** The credentials of a connection. Omitted by requests without a connection. */
export const HttpConnection = v.optional(
  v.variant("type", [
    v.strictObject({
      type: kind("bearer", "Bearer token"),
      ...common,
      token: headerText("Token", "Sent as Authorization: Bearer TOKEN."),
    }),
    v.strictObject({
      type: kind("basic", "User name and password"),
      ...common,
      username: v.pipe(v.string(), v.regex(/^[^:]*$/, "Must not contain a colon."), v.title("User name")),
      password: v.pipe(v.string(), v.title("Password"), WRITE_ONLY),
    }),
    v.strictObject({
      type: kind("header", "Header"),
      ...common,
      name: v.pipe(
        v.string(),
        v.check(isHeaderName, "Must be a header name such as X-Api-Key."),
        v.title("Header name"),
      ),
      value: headerText("Value", "Value of the header."),
    }),
    v.strictObject({
      type: kind("query", "Query parameter"),
      ...common,
      name: shortText("Parameter name", "Name of the query parameter."),
      value: secretText("Value", "Value of the query parameter."),
    }),
    v.strictObject({
      type: kind("oauth2", "OAuth 2.0 (client credentials)"),
      ...common,
      token_url: webUrl("Token URL", "Token endpoint of the authorization server (RFC 6749, client credentials)."),
      client_id: shortText("Client id", "Client id."),
      client_secret: secretText("Client secret", "Client secret."),
      scope: v.optional(v.pipe(v.string(), v.title("Scope"), v.description("Scopes, separated by spaces."))),
      audience: v.optional(
        v.pipe(v.string(), v.title("Audience"), v.description("Audience, for servers that require one.")),
      ),
      client_auth: v.optional(
        v.pipe(
          v.picklist(["basic", "body"]),
          v.title("Client authentication"),
          v.description(
            "Whether the client secret is sent in the Authorization header (basic) or in the body (body). Default: basic.",
          ),
        ),
        "basic",
      ),
    }),
  ]),
);
/** The fields that errors and logs may show. */
export const PUBLIC_CREDENTIALS = [
  "type",
  "base_url",
  "origins",
  "name",
  "token_url",
  "scope",
  "audience",
  "client_auth",
];

export type HttpCredentials = NonNullable<v.InferOutput<typeof HttpConnection>>;
export type OAuthCredentials = Extract<HttpCredentials, { type: "oauth2" }>;

/** A URL and headers to send. */
export interface Target {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The origins that receive the credentials. */
export function originsOf({ base_url, origins = [] }: HttpCredentials): readonly string[] {
  return [...new Set([base_url, ...origins].map((one) => new URL(one).origin))];
}

/** Adds credentials, which replace a header or parameter with the same name. @param token For `oauth2`. */
export function withCredentials(
  { url, headers }: Target,
  credentials: Exclude<HttpCredentials, OAuthCredentials> | { readonly type: "bearer"; readonly token: string },
): Target {
  switch (credentials.type) {
    case "bearer":
      return { url, headers: { ...headers, authorization: `Bearer ${credentials.token}` } };
    case "basic": {
      const bytes = new TextEncoder().encode(`${credentials.username}:${credentials.password}`);
      return { url, headers: { ...headers, authorization: `Basic ${toBase64(bytes)}` } };
    }
    case "header":
      return { url, headers: { ...headers, [credentials.name.toLowerCase()]: credentials.value } };
    case "query": {
      const signed = new URL(url);
      signed.searchParams.set(credentials.name, credentials.value);
      return { url: signed, headers };
    }
  }
}

function isWebUrl(text: string): boolean {
  const url = parseWebUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}
