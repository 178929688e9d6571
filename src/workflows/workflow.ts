/** A workflow: a draft that is written, and the versions that were deployed of it. */
import * as v from "valibot";
import { Name, strictObject, Visibility } from "../schema.ts";
import { DraftPut } from "./version.ts";

const description = v.nullable(v.pipe(v.string(), v.maxLength(10_240, "Must have at most 10240 characters.")));

export const WorkflowCreate = strictObject({
  name: Name,
  description: v.exactOptional(description),
  /** PUBLIC: its versions can be read without a key. Left out, PRIVATE. */
  visibility: v.exactOptional(Visibility),
  // The draft to start with.
  ...DraftPut.entries,
});
export interface WorkflowCreate extends v.InferOutput<typeof WorkflowCreate> {}

export const WorkflowUpdate = strictObject({
  name: v.exactOptional(Name),
  description: v.exactOptional(description),
  visibility: v.exactOptional(Visibility),
});
export interface WorkflowUpdate extends v.InferOutput<typeof WorkflowUpdate> {}

export const Workflow = v.object({
  /** `work_…` */
  id: v.string(),
  app_id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  visibility: Visibility,
  /** The number of the latest version; null before the first. */
  latest_version: v.nullable(v.number()),
  latest_version_id: v.nullable(v.string()),
  created_at: v.string(),
  updated_at: v.string(),
});
export interface Workflow extends Readonly<v.InferOutput<typeof Workflow>> {}
