/** The description of a service for editors. */
import * as v from "valibot";
import { jsonObject, list } from "../schema.ts";

export const ActionInfo = v.object({
  /** Name of the action. */
  name: v.string(),
  /** Title for people, or null. */
  title: v.nullable(v.string()),
  /** What the action does, or null. */
  description: v.nullable(v.string()),
  /** JSON Schema (draft 2020-12) of the arguments; null if the schema library cannot generate it. */
  input: v.nullable(jsonObject),
  /** JSON Schema (draft 2020-12) of the result; null if the schema library cannot generate it. */
  output: v.nullable(jsonObject),
});
/** An action of a service. */
export interface ActionInfo extends Readonly<v.InferOutput<typeof ActionInfo>> {}

export const ServiceInfo = v.object({
  /** Name of the service. */
  name: v.string(),
  /** Title for people, or null. */
  title: v.nullable(v.string()),
  /** Whether steps need a `connection_id`. If not, `connection` says whether they may have one. */
  needs_connection: v.boolean(),
  /** JSON Schema of the credentials; null if the service takes none or the schema library cannot generate it. */
  connection: v.nullable(jsonObject),
  /** Actions of the service. */
  actions: list(ActionInfo),
});
/** A service that steps can call. */
export interface ServiceInfo extends Readonly<v.InferOutput<typeof ServiceInfo>> {}
