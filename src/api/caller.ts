/** Callers, and the scopes of API keys. */

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
      /** Levels of child runs around the calling step; absent if no step calls. */
      readonly depth?: number;
      /** The calling step; absent if no step calls. */
      readonly step?: { readonly run_id: string; readonly step_key: string };
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

/** Level of child runs for the runs that this call starts; 0 outside a run. */
export function depthOf(caller: Caller): number {
  return caller.kind === "host" && caller.depth !== undefined ? caller.depth + 1 : 0;
}
