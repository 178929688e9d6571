/** An API key: opens the endpoints of one app. */
import * as v from "valibot";
import { SCOPES } from "../api/caller.ts";
import { instantText, list, Name, strictObject } from "../schema.ts";

export const KeyCreate = strictObject({
  name: Name,
  /** What the key may do; left out, everything in its app. */
  scopes: v.exactOptional(
    v.pipe(list(v.picklist(SCOPES)), v.minLength(1, "Must have at least one scope. Omit it to allow all scopes.")),
  ),
  /** ISO 8601 instant after which the key is refused; left out, never. */
  expires_at: v.exactOptional(instantText),
});
export interface KeyCreate extends v.InferOutput<typeof KeyCreate> {}

export const Key = v.object({
  id: v.string(),
  app_id: v.string(),
  name: v.string(),
  scopes: v.nullable(list(v.picklist(SCOPES))),
  expires_at: v.nullable(v.string()),
  created_at: v.string(),
});
export interface Key extends Readonly<v.InferOutput<typeof Key>> {}

/** The answer to the creation of a key: the only time that the key itself is shown. */
export const IssuedKey = v.object({ ...Key.entries, key: v.string() });
export interface IssuedKey extends Readonly<v.InferOutput<typeof IssuedKey>> {}
