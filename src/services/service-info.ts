/** A service as an editor sees it. */
import * as v from "valibot";
import { jsonObject, list } from "../schema.ts";

export const ActionInfo = v.object({
  name: v.string(),
  title: v.nullable(v.string()),
  description: v.nullable(v.string()),
  /** JSON Schema (draft 2020-12); null where the library of the schema does not say. */
  input: v.nullable(jsonObject),
  output: v.nullable(jsonObject),
});
export interface ActionInfo extends Readonly<v.InferOutput<typeof ActionInfo>> {}

export const ServiceInfo = v.object({
  name: v.string(),
  title: v.nullable(v.string()),
  /** Whether its steps need a `connection_id`. */
  needs_connection: v.boolean(),
  /** The credentials of its connections as JSON Schema; null where it needs none, or the library does not say. */
  connection: v.nullable(jsonObject),
  actions: list(ActionInfo),
});
export interface ServiceInfo extends Readonly<v.InferOutput<typeof ServiceInfo>> {}
