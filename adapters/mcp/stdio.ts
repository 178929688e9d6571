/** Serves an app to a client that starts this process, over its standard input and output. */
import type { McpAccess, McpApi } from "../../src/mcp/mcp-server.ts";
import { createProtocolServer } from "./protocol-server.ts";
import { loadSdk } from "./sdk.ts";

/** Options of {@link serveMcpStdio}. */
export interface McpStdioOptions {
  /** Name of the server, which clients show. @default "Stepwell" */
  readonly name?: string;
  /** Version of the server, which clients show. @default "1.0.0" */
  readonly version?: string;
  /** Milliseconds after which a call returns although its run has not ended. @default 45_000 */
  readonly waitMs?: number;
}

/**
 * Serves the tools of an app over standard input and output, for clients on the same machine that start a command. Nothing
 * else may write to the standard output. Resolves when the client has gone.
 *
 * @param api An instance, or a client of a server (`stepwell/client`), with the rights that the agent has.
 * @throws StepwellError `not_configured` if the package `@modelcontextprotocol/server` is not installed
 * @example `await serveMcpStdio(createClient({ url, key }), appId)`
 */
export async function serveMcpStdio(api: McpApi, appId: string, options: McpStdioOptions = {}): Promise<void> {
  const { name = "Stepwell", version = "1.0.0", waitMs = 45_000 } = options;
  const sdk = await loadSdk();
  const { serveStdio, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const access: McpAccess = { appId, api, can: () => true };
  const transport = new StdioServerTransport();
  const closed = new Promise<void>((resolve) => process.stdin.once("close", resolve).once("end", resolve));
  const handle = serveStdio(() => createProtocolServer(sdk, access, { name, version, waitMs }), { transport });
  await closed;
  await handle.close();
}
