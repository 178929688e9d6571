/** A run as the result of a tool. */
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { isStepwellError, StepwellError } from "../../src/errors.ts";
import { type JsonValue, omitUndefined } from "../../src/json.ts";
import type { McpAccess } from "../../src/mcp/mcp-server.ts";
import type { Run } from "../../src/runs/run.ts";
import { fileLinks } from "./file-resources.ts";
import type { CallEnd } from "./tool-call.ts";

/** The structured content of every tool. */
export const OUTPUT_SCHEMA: NonNullable<Tool["outputSchema"]> = {
  type: "object",
  properties: {
    run_id: { type: "string" },
    status: { type: "string", enum: ["succeeded", "failed", "canceled", "running", "queued", "waiting"] },
    output: { description: "Output of the workflow, once it has succeeded." },
    error: { type: "string", description: "Why the run failed." },
    forms: {
      type: "array",
      description: "Forms in which a person gives the run what it waits for.",
      items: {
        type: "object",
        properties: { step: { type: "string" }, url: { type: "string" } },
        required: ["step", "url"],
      },
    },
  },
  required: ["run_id", "status"],
};

/** Length of an output in a text, in characters. Models read it. */
const MAX_TEXT_CHARS = 100_000;

/** @param isLate Whether the person at the client answered after somebody else. */
export async function runResult(access: McpAccess, { run, inputs }: CallEnd, isLate: boolean): Promise<CallToolResult> {
  const { id: run_id, status, output, error } = run;
  const forms = await Promise.all(
    inputs.map(async ({ step_key }) => {
      const { url } = await access.api.inputs.createLink(access.appId, run_id, step_key);
      return { step: step_key, url };
    }),
  );
  const structuredContent = omitUndefined({
    ...{ run_id, status },
    output: status === "succeeded" ? output : undefined,
    error: error?.message,
    forms: forms.length === 0 ? undefined : forms,
  });
  const links = status === "succeeded" ? await fileLinks(access, output) : [];
  const late = isLate
    ? [{ type: "text" as const, text: "The answer was not used: somebody else answered first." }]
    : [];
  const content = [...late, { type: "text" as const, text: textOf(run, forms) }, ...links];
  return { content, structuredContent, isError: status === "failed" || status === "canceled" };
}

function textOf({ id, status, output, error }: Run, forms: readonly { readonly url: string }[]): string {
  switch (status) {
    case "succeeded":
      return shortened(output);
    case "failed":
      return `The run failed: ${error?.message ?? "no reason is known"}`;
    case "canceled":
      return "The run was canceled.";
    default: {
      const waiting = forms.map(({ url }) => ` A person must fill in ${url}.`).join("");
      return `The run ${id} has not ended.${waiting} Call wait_for_run to wait for its end.`;
    }
  }
}

function shortened(output: JsonValue): string {
  const text = typeof output === "string" ? output : JSON.stringify(output, null, 2);
  if (text.length <= MAX_TEXT_CHARS) return text;
  return `${text.slice(0, MAX_TEXT_CHARS)}\n(${text.length - MAX_TEXT_CHARS} further characters: read the structured content)`;
}

/** An error that the model can act on. @throws any other error */
export function errorResult(error: unknown): CallToolResult {
  if (!isStepwellError(error) || error.code === "internal") throw error;
  // The pointers of a run start at its request.
  const fields = error.errors.map(({ pointer, message }) => `\n${pointer.replace(/^\/input\b/, "")}: ${message}`);
  const text = fields.length === 0 ? error.message : `The arguments are invalid.${fields.join("")}`;
  return { content: [{ type: "text", text }], isError: true };
}

export const unknownTool = (name: string) =>
  new StepwellError("not_found", `There is no tool ${JSON.stringify(name.slice(0, 64))}. List the tools again.`);

export const missingRunId = () =>
  new StepwellError("invalid", "run_id is required: the id of a run that a tool has started.");

export const notOfTool = () => new StepwellError("not_found", "This run was not started by the tool.");
