/** The Model Context Protocol server of an app. */
import * as v from "valibot";
import { rawRoute } from "../http/route.ts";
import { jsonObject } from "../schema.ts";
import type { Mcp } from "./mcp.ts";

export interface Slices {
  readonly mcp: Mcp;
}

export const McpMessage = v.looseObject({
  /** Version of JSON-RPC. */
  jsonrpc: v.literal("2.0"),
  /** Identifies the request in its response. Absent for a notification. */
  id: v.exactOptional(v.union([v.string(), v.number()])),
  /** What to do, such as `tools/list` or `tools/call`. */
  method: v.exactOptional(v.string()),
});
/**
 * A message of JSON-RPC 2.0.
 * @example { "jsonrpc": "2.0", "id": 1, "method": "tools/list" }
 */
export interface McpMessage extends v.InferOutput<typeof McpMessage> {}

export const mcpRoutes = {
  call: rawRoute({
    method: "POST",
    path: "/apps/{app_id}/mcp",
    access: "app",
    scope: "runs:write",
    summary: "Call the MCP server of the app (Model Context Protocol, Streamable HTTP), whose tools are workflows.",
    described: {
      request: {
        headers: ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"],
        body: { "application/json": McpMessage },
      },
      answers: {
        200: {
          meaning: "The response, or a stream of messages that ends with it.",
          body: { "application/json": jsonObject, "text/event-stream": null },
        },
        202: { meaning: "A notification was accepted." },
      },
    },
    respond: ({ mcp }: Slices, request, { bytes, params, caller }) =>
      mcp.respond(request, bytes(), params.app_id, caller),
  }),
};
