/** A workflow: a draft and the versions deployed from it. */
import * as v from "valibot";
import { expectedRevision } from "../documents/expected-version.ts";
import { removalInQuery } from "../documents/removal.ts";
import { Name, strictObject, Visibility } from "../schema.ts";
import { WorkflowTool } from "./tools/workflow-tool.ts";
import { DraftPut } from "./version.ts";

const description = v.nullable(v.pipe(v.string(), v.maxLength(10_240, "Must have at most 10240 characters.")));

export const WorkflowCreate = strictObject({
  /** Name for people, 1 to 256 characters. */
  name: Name,
  /** Description, at most 10,240 characters. Models that call the workflow as a tool see it. @default null */
  description: v.exactOptional(description),
  /** `PUBLIC` versions can be read without an API key. @default PRIVATE */
  visibility: v.exactOptional(Visibility),
  /** Makes the latest version a tool of the app's MCP server; null for no tool. @default null */
  tool: v.exactOptional(v.nullable(WorkflowTool)),
  ...DraftPut.entries,
});
/**
 * A new workflow, with its draft.
 * @example { "name": "Greeting", "steps": [{ "type": "code", "key": "greet", "code": "return `Hello ${input.name}`" }] }
 */
export interface WorkflowCreate extends DraftPut, v.InferOutput<typeof WorkflowCreate> {}

export const WorkflowUpdate = strictObject({
  /** Name for people, 1 to 256 characters. */
  name: v.exactOptional(Name),
  /** Description, at most 10,240 characters. */
  description: v.exactOptional(description),
  /** `PUBLIC` versions can be read without an API key. */
  visibility: v.exactOptional(Visibility),
  /** Makes the latest version a tool of the app's MCP server; null for no tool. */
  tool: v.exactOptional(v.nullable(WorkflowTool)),
  ...expectedRevision,
});
/** Changes to a workflow. Omitted fields keep their values. */
export interface WorkflowUpdate extends v.InferOutput<typeof WorkflowUpdate> {}

export const WorkflowRemoval = strictObject(removalInQuery);

export const Workflow = v.object({
  /** `work_…` */
  id: v.string(),
  /** App that owns the workflow. */
  app_id: v.string(),
  /** Name for people. */
  name: v.string(),
  /** Description, or null. */
  description: v.nullable(v.string()),
  /** `PUBLIC` versions can be read without an API key. */
  visibility: Visibility,
  /** How it appears to agents; null if it is no tool. */
  tool: v.nullable(WorkflowTool),
  /** Number of the latest version; null before the first deployment. */
  latest_version: v.nullable(v.number()),
  /** Id of the latest version; null before the first deployment. */
  latest_version_id: v.nullable(v.string()),
  /** Increases with each change and deployment, but not with the draft. Over HTTP also the `ETag`. */
  revision: v.number(),
  /** ISO 8601. */
  created_at: v.string(),
  /** ISO 8601. */
  updated_at: v.string(),
});
/** A workflow, without its draft and versions. */
export interface Workflow extends Readonly<v.InferOutput<typeof Workflow>> {}
