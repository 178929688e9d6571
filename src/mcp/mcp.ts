/** Gives clients of the Model Context Protocol access to an app. */
import { type Caller, hasScope, requireScope } from "../calls/caller.ts";
import { type WatchesKeys, watchCaller } from "../calls/watch-caller.ts";
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
  apps: {
    /** Aborts the controller when the app is deleted. Stops watching when the controller is aborted. */
    watch(appId: string, controller: AbortController): Promise<void>;
  };
  keys: WatchesKeys;
  /** Maximum bytes of a message. */
  bodyBytes: number;
}): Mcp {
  const { server, apiFor, apps, keys, bodyBytes } = parts;
  return {
    async respond({ url, method, headers, signal: disconnected }, body, appId, caller) {
      if (server === undefined) throw notConfigured();
      // The result of a tool is the output of a run.
      requireScope(caller, "runs:read");
      const bytes = new Uint8Array(await collectBody(body, bodyBytes));
      const access = new AbortController();
      await apps.watch(appId, access);
      await watchCaller(keys, caller, access);
      const signal = AbortSignal.any([disconnected, access.signal]);
      const message = new Request(url, { method, headers, signal, body: bytes });
      const through: Caller = caller.kind === "key" ? { ...caller, through: "mcp" } : caller;
      try {
        const can = (scope: Parameters<typeof hasScope>[1]) => hasScope(caller, scope);
        return untilRead(await server.respond(message, { appId, api: apiFor(through), can }), access);
      } catch (error) {
        access.abort();
        throw error;
      }
    },
  };
}

/** Aborts the controller when the response has been read, or the reader has gone. */
function untilRead(response: Response, controller: AbortController): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    controller.abort();
    return response;
  }
  const reader = body.getReader();
  const watched = new ReadableStream<Uint8Array>({
    async pull(stream) {
      try {
        const { done, value } = await reader.read();
        if (!done) return stream.enqueue(value);
        stream.close();
      } catch (error) {
        stream.error(error);
      }
      controller.abort();
    },
    async cancel(reason) {
      controller.abort();
      await reader.cancel(reason);
    },
  });
  return new Response(watched, { status, statusText, headers });
}

function notConfigured(): StepwellError {
  const message = "This host has no MCP server. It needs the option `mcp: createMcpServer()`, from stepwell/mcp.";
  return new StepwellError("not_configured", message);
}
