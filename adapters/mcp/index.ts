/** Serves deployed workflows as tools to agents, by the Model Context Protocol (revisions 2024-11-05 to 2026-07-28). */
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import { StepwellError } from "../../src/errors.ts";
import type { McpAccess, McpServer } from "../../src/mcp/mcp-server.ts";
import { createProtocolServer } from "./protocol-server.ts";
import { loadSdk, type Sdk } from "./sdk.ts";

export type { McpServer } from "../../src/mcp/mcp-server.ts";
export { type McpServiceOptions, mcpService } from "./service.ts";
export { type McpStdioOptions, serveMcpStdio } from "./stdio.ts";

/** Options of {@link createMcpServer}. */
export interface McpServerOptions {
  /** Name of the server, which clients show. @default "Stepwell" */
  readonly name?: string;
  /** Version of the server, which clients show. @default "1.0.0" */
  readonly version?: string;
  /**
   * Milliseconds after which a call returns although its run has not ended: 0 to 55,000, because clients give up after a
   * minute. The run goes on, and the tool `wait_for_run` waits for it.
   * @default 45_000
   */
  readonly waitMs?: number;
}

/**
 * Creates the MCP server for the option `mcp`. It serves the app of a key at `POST /apps/{app_id}/mcp` (Streamable HTTP,
 * stateless). Tools are the workflows with a `tool` field and a deployed version. A key needs the scopes `runs:write` and
 * `runs:read`, and `files:read` for files.
 *
 * Needs the package `@modelcontextprotocol/server`, which it loads with the first request.
 * @throws StepwellError `invalid`
 * @example
 * ```ts
 * const stepwell = createStepwell({ mcp: createMcpServer() });
 * await stepwell.workflows.update(app.id, workflow.id, { tool: { description: "Decides about a loan." } });
 * ```
 */
export function createMcpServer(options: McpServerOptions = {}): McpServer {
  const { name = "Stepwell", version = "1.0.0", waitMs = 45_000 } = options;
  if (!Number.isInteger(waitMs) || waitMs < 0 || waitMs > 55_000)
    throw new StepwellError("invalid", "waitMs must be a whole number from 0 to 55000.");
  let handler: Promise<McpHttpHandler> | undefined;

  async function createHandler(): Promise<McpHttpHandler> {
    const sdk = await loadSdk();
    return sdk.createMcpHandler(({ authInfo }) =>
      createProtocolServer(sdk, accessOf(authInfo), { name, version, waitMs }),
    );
  }

  return {
    async respond(request, access) {
      handler ??= createHandler();
      const { fetch } = await handler;
      return fetch(request, { authInfo: { token: "", clientId: access.appId, scopes: [], extra: { access } } });
    },
    async close() {
      await (await handler)?.close();
    },
  };
}

/** The SDK hands on what `respond` passed. */
function accessOf(authInfo: Parameters<Parameters<Sdk["createMcpHandler"]>[0]>[0]["authInfo"]): McpAccess {
  return authInfo?.extra?.["access"] as McpAccess;
}
