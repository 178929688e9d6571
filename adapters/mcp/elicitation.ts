/** Asks the person at the client for the input that a run waits for. */
import type { ClientCapabilities, ElicitRequestFormParams, InputRequests } from "@modelcontextprotocol/server";
import type { WaitingInput } from "../../src/forms/waiting-input.ts";
import { omitUndefined } from "../../src/json.ts";
import type { McpAccess } from "../../src/mcp/mcp-server.ts";
import { choicesOf } from "../../src/workflows/field-options.ts";
import { defaultOf, type InputDefinition, type InputField } from "../../src/workflows/input/input-field.ts";
import type { Sdk } from "./sdk.ts";

type RequestedSchema = ElicitRequestFormParams["requestedSchema"];

/** What a run waits for. */
export interface Wait {
  readonly runId: string;
  readonly workflowName: string;
  readonly inputs: readonly WaitingInput[];
  /** Why earlier answers were refused, by the key of the step. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Returns the requests for all inputs, by the key of their step, or null if the client can't ask for one of them. Simple
 * fields are asked for in the client, others in the form that Stepwell shows in a browser.
 */
export async function inputRequests(
  { inputRequired }: Sdk,
  access: McpAccess,
  { elicitation }: ClientCapabilities,
  wait: Wait,
): Promise<InputRequests | null> {
  if (elicitation === undefined) return null;
  const requests: InputRequests = {};
  for (const { step_key, definition } of wait.inputs) {
    const schema = formSchema(definition);
    const message = messageFor(step_key, wait);
    // A client that names no mode has forms (the protocol before 2025-11-25).
    const hasForms = elicitation.form !== undefined || elicitation.url === undefined;
    if (schema !== null && hasForms) {
      requests[step_key] = inputRequired.elicit({ mode: "form", message, requestedSchema: schema });
    } else if (elicitation.url !== undefined) {
      const { url } = await access.api.inputs.createLink(access.appId, wait.runId, step_key);
      requests[step_key] = inputRequired.elicitUrl({ message, url });
    } else return null;
  }
  return requests;
}

function messageFor(stepKey: string, { workflowName, inputs, refused }: Wait): string {
  const step = inputs.length === 1 ? "" : ` for ${JSON.stringify(stepKey)}`;
  const reason = refused.get(stepKey);
  return `${workflowName} needs input${step}.${reason === undefined ? "" : ` ${reason}`}`;
}

const FORM_TYPES: ReadonlySet<InputField["type"]> = new Set([
  "string",
  "number",
  "boolean",
  "date",
  "datetime",
  "time",
  "select",
]);
const FORMATS = { date: "date", datetime: "date-time" } as const;

/** Forms of clients have texts, numbers, booleans and choices. Returns null for other fields. */
function formSchema(definition: InputDefinition): RequestedSchema | null {
  const properties: RequestedSchema["properties"] = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(definition)) {
    if (field.type === "content" || field.config === true) continue;
    if (field.array === true || !FORM_TYPES.has(field.type)) return null;
    properties[name] = propertyOf(field);
    if (field.optional !== true && defaultOf(field) === undefined) required.push(name);
  }
  return { type: "object", properties, required };
}

function propertyOf(field: InputField): RequestedSchema["properties"][string] {
  const about = omitUndefined({ title: field.name, description: field.desc });
  switch (field.type) {
    case "number":
      return choices(field) ?? { type: "number", ...about, ...omitUndefined({ default: field.default }) };
    case "string": {
      const format = field.validation === "url" ? ("uri" as const) : undefined;
      return choices(field) ?? { type: "string", ...about, ...omitUndefined({ format, default: field.default }) };
    }
    case "select":
      return choices(field) ?? { type: "string", ...about };
    case "boolean":
      return { type: "boolean", ...about, ...omitUndefined({ default: field.default }) };
    case "date":
    case "datetime":
      return { type: "string", format: FORMATS[field.type], ...about };
    default:
      return { type: "string", ...about };
  }
}

/** Choices are texts, also those of a number field: it accepts the text of a number. */
function choices(field: Parameters<typeof choicesOf>[0]): RequestedSchema["properties"][string] | null {
  const values = choicesOf(field);
  const about = omitUndefined({ title: field.name, description: field.desc });
  return values === undefined ? null : { type: "string", enum: values.map(String), ...about };
}
