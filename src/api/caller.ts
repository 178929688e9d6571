/** Who calls, and what a key may be limited to. */

/** What a key may be limited to. */
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
] as const;
export type ApiKeyScope = (typeof SCOPES)[number];

/** The host program through a service function, or whoever came over HTTP. */
export type Caller =
  | {
      readonly kind: "host";
      /** Runs within runs around the step that calls; left out, no step does. */
      readonly depth?: number;
    }
  | { readonly kind: "admin" }
  | { readonly kind: "key"; readonly id: string; readonly name: string; readonly app_id: string }
  | { readonly kind: "anyone" };

/** Whether only what is PUBLIC may be shown. */
export function onlyPublic(caller: Caller): boolean {
  return caller.kind === "anyone";
}

/** Runs within runs that what this call sets off would count as; 0 where no run is around it. */
export function depthWithin(caller: Caller): number {
  return caller.kind === "host" && caller.depth !== undefined ? caller.depth + 1 : 0;
}
