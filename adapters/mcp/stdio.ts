/** Serves an app to a client that starts this process, over its standard input and output. */
import type { Transport } from "@modelcontextprotocol/server";
import type { McpAccess, McpApi } from "../../src/mcp/mcp-server.ts";
import { createProtocolServer } from "./protocol-server.ts";
import { loadSdk, loadStdioServer } from "./sdk.ts";

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
  const { serveStdio, StdioServerTransport } = await loadStdioServer();
  const access: McpAccess = { appId, api, can: () => true };
  const transport = new StdioServerTransport();
  const calls = new Set<Promise<unknown>>();
  const handle = serveStdio(() => createProtocolServer(sdk, access, { name, version, waitMs, calls }), { transport });
  await untilGone(transport);
  await handle.close();
  // Calls that are canceled now cancel their runs.
  while (calls.size > 0) await Promise.allSettled(calls);
}

/** The client has gone when its end of either pipe is closed, or when what it sends can't be read. */
function untilGone(transport: Transport): Promise<void> {
  return new Promise((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    process.stdin.once("end", resolve).once("close", resolve);
    process.stdout.once("error", () => resolve()).once("close", resolve);
  });
}
