/** Callers, and the scopes of API keys. */
import type { Nesting } from "../runs/run-executor.ts";

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
] as const;
/** A scope of an API key: a kind of resource, to read or to write. */
export type ApiKeyScope = (typeof SCOPES)[number];

/** The host, through a service function, or the sender of an HTTP request. */
export type Caller =
  | {
      readonly kind: "host";
      /** The calling step; absent if no step calls. */
      readonly step?: { readonly run_id: string; readonly step_key: string };
      /** Where the run of the calling step is nested; absent if no step calls. */
      readonly nesting?: Nesting;
    }
  | { readonly kind: "admin" }
  | {
      readonly kind: "key";
      readonly id: string;
      readonly name: string;
      readonly app_id: string;
      /** Null if the key may do everything in its app. */
      readonly scopes: readonly ApiKeyScope[] | null;
    }
  | { readonly kind: "anonymous" };

/** Whether the caller may read only what is PUBLIC. */
export function onlyPublic(caller: Caller): boolean {
  return caller.kind === "anonymous";
}

/** Whether the caller may do what the scope allows, in its own app. */
export function hasScope(caller: Caller, scope: ApiKeyScope): boolean {
  if (caller.kind === "key") return caller.scopes === null || caller.scopes.includes(scope);
  return caller.kind === "host";
}

/** Of what no step has caused. */
export const NOT_NESTED: Nesting = { depth: 0, root_run_id: null };

/** Where the runs are nested that this call causes. */
export function nestingOf(caller: Caller): Nesting {
  if (caller.kind !== "host" || caller.nesting === undefined) return NOT_NESTED;
  const { depth, root_run_id } = caller.nesting;
  return { depth: depth + 1, root_run_id };
}
