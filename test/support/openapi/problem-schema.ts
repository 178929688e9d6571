/** The schema of problem details (RFC 9457), which `src/http/problem.ts` creates. */
import { ERRORS } from "../../../src/errors.ts";
import type { JsonObject } from "../../../src/json.ts";

const CODES = Object.entries(ERRORS)
  .map(([code, { status }]) => `- \`${code}\`: ${status}`)
  .join("\n");

const text = (description: string): JsonObject => ({ description, type: "string" });
const index = (description: string): JsonObject => ({ description, type: "integer" });

export const PROBLEM_SCHEMA: JsonObject = {
  description: "Problem details (RFC 9457).",
  type: "object",
  properties: {
    type: text("`urn:stepwell:error:` and the code."),
    title: text("Standard phrase of the status."),
    status: { description: "HTTP status.", type: "integer" },
    detail: text("What was wrong, where, and what would be right. Absent for unexpected errors."),
    code: { description: `Error code, each with its status:\n\n${CODES}`, type: "string", enum: Object.keys(ERRORS) },
    errors: {
      description: "The invalid fields, at most 100.",
      type: "array",
      items: {
        type: "object",
        properties: {
          pointer: text("JSON Pointer (RFC 6901) into the body, or into the part of the request named by `in`."),
          message: text("What is wrong, and what would be right."),
          in: { ...text("Part of the request. Absent for the body."), enum: ["query", "path", "header"] },
          at: index("Index of the first wrong character, for a part of an expression in the field."),
          end: index("Index after the last wrong character."),
        },
        required: ["pointer", "message"],
      },
    },
    errors_truncated: { description: "Whether more fields are invalid than `errors` reports.", type: "boolean" },
    users: {
      description: "What uses the resource that was to be deleted, at most 100.",
      type: "array",
      items: {
        type: "object",
        properties: {
          type: { ...text("What it is."), enum: ["workflow", "schedule", "rule", "trigger"] },
          id: text("Its id, or the key of a rule."),
          name: { description: "Its name for people.", type: ["string", "null"] },
          collection_id: text("Collection of a rule or trigger."),
        },
        required: ["type", "id", "name"],
      },
    },
    request_id: text("Id of the request, as in the log of the host."),
  },
  required: ["type", "title", "status", "code", "request_id"],
};
