/** An API key, which authenticates requests to one app. */
import * as v from "valibot";
import { SCOPES } from "../calls/caller.ts";
import { instantText, list, Name, strictObject } from "../schema.ts";

export const KeyCreate = strictObject({
  /** Name for people, 1 to 256 characters. */
  name: Name,
  /** What the key may do, at least one scope. @default everything in its app */
  scopes: v.exactOptional(
    v.pipe(list(v.picklist(SCOPES)), v.minLength(1, "Must have at least one scope. Omit it to allow all scopes.")),
  ),
  /** When the key expires: an ISO 8601 date and time. @default never */
  expires_at: v.exactOptional(instantText),
});
/**
 * A new API key.
 * @example { "name": "Back office", "scopes": ["runs:read", "runs:write"] }
 */
export interface KeyCreate extends v.InferOutput<typeof KeyCreate> {}

export const Key = v.object({
  /** `key_…` */
  id: v.string(),
  /** App that the key belongs to. */
  app_id: v.string(),
  /** Name for people. */
  name: v.string(),
  /** What the key may do; null for everything in its app. */
  scopes: v.nullable(list(v.picklist(SCOPES))),
  /** When the key expires, ISO 8601; null for never. */
  expires_at: v.nullable(v.string()),
  /** ISO 8601. */
  created_at: v.string(),
  /** When the key was last used, to the hour and a few seconds late, ISO 8601; null if it never was. */
  last_used_at: v.nullable(v.string()),
});
/** An API key, without the key itself. */
export interface Key extends Readonly<v.InferOutput<typeof Key>> {}

export const IssuedKey = v.object({
  ...Key.entries,
  /** The key itself: the bearer token. No later call returns it. */
  key: v.string(),
});
/** A new API key, with the key itself. */
export interface IssuedKey extends Readonly<v.InferOutput<typeof IssuedKey>> {}
