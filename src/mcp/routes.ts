/** The Model Context Protocol server of an app. */
import { rawRoute } from "../http/route.ts";
import { jsonObject } from "../schema.ts";
import type { Mcp } from "./mcp.ts";

export interface Slices {
  readonly mcp: Mcp;
}

const MESSAGE = { "application/json": jsonObject };

export const mcpRoutes = {
  call: rawRoute({
    method: "POST",
    path: "/apps/{app_id}/mcp",
    access: "app",
    scope: "runs:write",
    summary: "Call the MCP server of the app (Model Context Protocol, Streamable HTTP), whose tools are workflows.",
    described: {
      request: { headers: ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"], body: MESSAGE },
      answers: {
        200: {
          meaning: "The response, or a stream of messages that ends with it.",
          body: { ...MESSAGE, "text/event-stream": null },
        },
        202: { meaning: "A notification was accepted." },
      },
    },
    respond: ({ mcp }: Slices, request, { bytes, params, caller }) =>
      mcp.respond(request, bytes(), params.app_id, caller),
  }),
};
