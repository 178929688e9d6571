/** Gives clients of the Model Context Protocol access to an app. */
import { type Caller, hasScope, requireScope } from "../calls/caller.ts";
import { collectBody } from "../encoding/collect-body.ts";
import { StepwellError } from "../errors.ts";
import type { McpApi, McpServer } from "./mcp-server.ts";

export interface Mcp {
  /**
   * Responds to a message of a client.
   * @throws StepwellError `not_configured` without a server; `forbidden` for a key that cannot read runs; `too_large`
   */
  respond(request: Request, body: AsyncIterable<Uint8Array>, appId: string, caller: Caller): Promise<Response>;
}

export function createMcp(parts: {
  server: McpServer | undefined;
  /** Returns the service functions for a caller. */
  apiFor(caller: Caller): McpApi;
  /** Maximum bytes of a message. */
  bodyBytes: number;
}): Mcp {
  const { server, apiFor, bodyBytes } = parts;
  return {
    async respond({ url, method, headers, signal }, body, appId, caller) {
      if (server === undefined) throw notConfigured();
      // The result of a tool is the output of a run.
      requireScope(caller, "runs:read");
      const through: Caller = caller.kind === "key" ? { ...caller, through: "mcp" } : caller;
      const bytes = new Uint8Array(await collectBody(body, bodyBytes));
      const message = new Request(url, { method, headers, signal, body: bytes });
      return server.respond(message, { appId, api: apiFor(through), can: (scope) => hasScope(caller, scope) });
    },
  };
}

function notConfigured(): StepwellError {
  const message = "This host has no MCP server. It needs the option `mcp: createMcpServer()`, from stepwell/mcp.";
  return new StepwellError("not_configured", message);
}
