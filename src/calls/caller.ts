/** Callers, the scopes of API keys, and the users for whom callers act. */

import * as v from "valibot";
import { StepwellError } from "../errors.ts";
import type { Nesting } from "../runs/run-executor.ts";
import { checkOptions, strictObject } from "../schema.ts";

/** The scopes of API keys. */
export const SCOPES = [
  "workflows:read",
  "workflows:write",
  "runs:read",
  "runs:write",
  "files:read",
  "files:write",
  "collections:read",
  "collections:write",
  "events:read",
  "events:write",
  "schedules:read",
  "schedules:write",
  "connections:read",
  "connections:write",
  "hooks:read",
  "hooks:write",
  "webhooks:read",
  "webhooks:write",
  "jobs:read",
  "jobs:write",
  "users:act",
] as const;
/** A scope of an API key: a kind of resource, to read or to write. `users:act` allows naming the acting user. */
export type ApiKeyScope = (typeof SCOPES)[number];

const MAX_CHARS = 256;
const text = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(MAX_CHARS, `Must have at most ${MAX_CHARS} characters.`),
  v.check((given) => !/\p{Cc}|\p{Cs}/u.test(given), "Must have no control characters."),
);

export const ActingUser = strictObject({
  /** Id of the user in your system, 1 to 256 characters. */
  id: text,
  /** Name for people, 1 to 256 characters; null for none. @default null */
  name: v.optional(v.nullable(text), null),
});
/** One of your users, for whom a caller acts. Stepwell has no user accounts: it only records who did something. */
export interface ActingUser extends Readonly<v.InferOutput<typeof ActingUser>> {}
/** A user to act for. */
export interface ActingUserInput extends v.InferInput<typeof ActingUser> {}

/**
 * The headers that name the user. Their values may be percent-encoded, because headers have no letters beyond ASCII.
 */
export const USER_HEADERS = { id: "Stepwell-User", name: "Stepwell-User-Name" } as const;

/** @throws StepwellError `invalid` */
export const checkedUser = (user: unknown): ActingUser => checkOptions(ActingUser, user);

/** The user whom a request names, or undefined. @throws StepwellError `malformed` */
export function userOf(headers: Headers): ActingUser | undefined {
  const [id, name] = [decoded(headers, USER_HEADERS.id), decoded(headers, USER_HEADERS.name)];
  if (id === null && name === null) return undefined;
  const user = v.safeParse(ActingUser, { id: id ?? "", name });
  if (user.success) return user.output;
  const [issue] = user.issues;
  const header = v.getDotPath(issue) === "name" ? USER_HEADERS.name : USER_HEADERS.id;
  throw new StepwellError("malformed", `The header ${header} is invalid: ${issue.message}`);
}

function decoded(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  try {
    return value === null ? null : decodeURIComponent(value);
  } catch {
    throw new StepwellError("malformed", `The header ${name} is not percent-encoded correctly.`);
  }
}

/** A session of the console. */
export interface CallerSession {
  /** Aborts the controller when the session ends. Stops watching when the controller is aborted. */
  watch(controller: AbortController): Promise<void>;
}

/** The host, through a service function, or the sender of an HTTP request. */
export type Caller =
  | {
      readonly kind: "host";
      /** The calling step; absent if no step calls. */
      readonly step?: { readonly run_id: string; readonly step_key: string };
      /** Where the run of the calling step is nested; absent if no step calls. */
      readonly nesting?: Nesting;
      /** The user for whom the host acts; absent if it named none. */
      readonly user?: ActingUser;
    }
  | {
      readonly kind: "admin";
      /** Absent for a request with the admin key. */
      readonly session?: CallerSession;
    }
  | {
      readonly kind: "key";
      readonly id: string;
      readonly name: string;
      readonly app_id: string;
      /** Null if the key may do everything in its app. */
      readonly scopes: readonly ApiKeyScope[] | null;
      /** The protocol through which it calls; absent for HTTP. */
      readonly through?: "mcp";
      /** The session of the console that the key has opened; absent for a request with the key itself. */
      readonly session?: CallerSession;
      /** The user for whom the caller acts; absent if it named none. */
      readonly user?: ActingUser;
    }
  | {
      /** A session of the console without a key: the host or an admin has opened the app for a person. */
      readonly kind: "session";
      readonly app_id: string;
      /** Null if the person may do everything in the app. */
      readonly scopes: readonly ApiKeyScope[] | null;
      readonly session: CallerSession;
      /** The user whom the host names; absent if it names none. */
      readonly user?: ActingUser;
    }
  | { readonly kind: "anonymous" };

/** A caller that belongs to one app. */
export type AppCaller = Extract<Caller, { app_id: string }>;

/** The user for whom a caller acts, or undefined. */
export const actingUser = (caller: Caller) => ("user" in caller ? caller.user : undefined);

/** Whether the caller may read only what is PUBLIC. */
export function onlyPublic(caller: Caller): boolean {
  return caller.kind === "anonymous";
}

/** Whether the caller may do what the scope allows, in its own app. */
export function hasScope(caller: Caller, scope: ApiKeyScope): boolean {
  if ("app_id" in caller) return caller.scopes === null || caller.scopes.includes(scope);
  return caller.kind === "host";
}

/** Requires a scope beyond that of the route. @throws StepwellError `forbidden` */
export function requireScope(caller: Caller, scope: ApiKeyScope): void {
  if (hasScope(caller, scope)) return;
  const what = caller.kind === "session" ? "session" : "API key";
  throw new StepwellError("forbidden", `The ${what} also needs the scope ${scope}.`);
}

/** Of what no step has caused. */
export const NOT_NESTED: Nesting = { depth: 0, root_run_id: null };

/** Where the runs are nested that this call causes. */
export function nestingOf(caller: Caller): Nesting {
  if (caller.kind !== "host" || caller.nesting === undefined) return NOT_NESTED;
  const { depth, root_run_id } = caller.nesting;
  return { depth: depth + 1, root_run_id };
}
