/** A connection: credentials of an app for a service of the host. The fields are ours. */
import * as v from "valibot";
import type { Sealed } from "../ports/secrets.ts";
import { jsonObject, Name, strictObject } from "../schema.ts";

export const ConnectionCreate = strictObject({
  name: Name,
  /** The name of a service that needs a connection. */
  service: v.string(),
  /** What the service asks for, by its schema. Kept encrypted, and never shown again. */
  credentials: jsonObject,
});
export interface ConnectionCreate extends v.InferOutput<typeof ConnectionCreate> {}

/** A connection stays with its service. */
export const ConnectionUpdate = strictObject({
  name: v.exactOptional(Name),
  /** In the place of those that were there, all of them. */
  credentials: v.exactOptional(jsonObject),
});
export interface ConnectionUpdate extends v.InferOutput<typeof ConnectionUpdate> {}

export const Connection = v.object({
  /** `con_…` */
  id: v.string(),
  app_id: v.string(),
  name: v.string(),
  service: v.string(),
  created_at: v.string(),
  updated_at: v.string(),
});
export interface Connection extends Readonly<v.InferOutput<typeof Connection>> {}

/** As stored. */
export interface ConnectionDocument extends Connection {
  readonly credentials: Sealed;
}
