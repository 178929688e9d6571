/** Workflows as tools of agents (MCP). */
import * as v from "valibot";
import { strictObject } from "../../schema.ts";

/** How a workflow appears to agents. */
export const WorkflowTool = strictObject({
  /**
   * Name of the tool: 1 to 64 letters, digits, `_` and `-`, unique in the app.
   * @default the name of the workflow in snake_case when it became a tool, with some characters of its id if that is taken
   */
  name: v.exactOptional(
    v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, "Must have 1 to 64 letters, digits, underscores and hyphens.")),
  ),
  /** What it does and when to use it, for the model: 1 to 4,096 characters. @default the description of the workflow */
  description: v.exactOptional(
    v.pipe(v.string(), v.minLength(1, "Must not be empty."), v.maxLength(4_096, "Must have at most 4096 characters.")),
  ),
});
/** How a workflow appears to agents. */
export interface WorkflowTool extends Readonly<v.InferOutput<typeof WorkflowTool>> {}
