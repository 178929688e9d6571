/** A connection: the credentials of an app for a service. */
import * as v from "valibot";
import { expectedRevision } from "../documents/expected-version.ts";
import { removalInQuery } from "../documents/removal.ts";
import type { Encrypted } from "../ports/secrets.ts";
import { jsonObject, Name, strictObject } from "../schema.ts";

export const ConnectionCreate = strictObject({
  /** Name for people, 1 to 256 characters. */
  name: Name,
  /** Name of a service that needs a connection. */
  service: v.string(),
  /** Credentials that match the service's schema. Stored encrypted; no function returns them. */
  credentials: jsonObject,
});
/**
 * A new connection.
 * @example
 * { "name": "CRM", "service": "http", "credentials": { "type": "bearer", "base_url": "https://example.com", "token": "secret" } }
 */
export interface ConnectionCreate extends v.InferOutput<typeof ConnectionCreate> {}

export const ConnectionUpdate = strictObject({
  /** Name for people, 1 to 256 characters. */
  name: v.exactOptional(Name),
  /** Credentials that replace all stored ones. */
  credentials: v.exactOptional(jsonObject),
  ...expectedRevision,
});
/** Changes to a connection. Its service cannot change. */
export interface ConnectionUpdate extends v.InferOutput<typeof ConnectionUpdate> {}

export const ConnectionRemoval = strictObject(removalInQuery);

export const Connection = v.object({
  /** `con_…` */
  id: v.string(),
  /** App that owns the connection. */
  app_id: v.string(),
  /** Name for people. */
  name: v.string(),
  /** Name of the service. */
  service: v.string(),
  /** Increases with each change. Over HTTP also the `ETag`. */
  revision: v.number(),
  /** ISO 8601. */
  created_at: v.string(),
  /** ISO 8601. */
  updated_at: v.string(),
});
/** A connection, without its credentials. */
export interface Connection extends Readonly<v.InferOutput<typeof Connection>> {}

/** A connection as stored. */
export interface ConnectionDocument extends Connection {
  readonly credentials: Encrypted;
}
