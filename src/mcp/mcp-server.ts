/** The Model Context Protocol server of an app, as a host passes it. Types only. */
import type { Api } from "../api/api.ts";
import type { ApiKeyScope } from "../calls/caller.ts";

/** The service functions that a tool call needs. `stepwell` and clients have them. */
export type McpApi = Pick<Api, "workflows" | "runs" | "inputs" | "files">;

/** The app that a client of the protocol uses, with the rights of its key. */
export interface McpAccess {
  readonly appId: string;
  readonly api: McpApi;
  /** Whether the key of the client has a scope. */
  can(scope: ApiKeyScope): boolean;
}

/** Implemented by `createMcpServer()` of `stepwell/mcp`. */
export interface McpServer {
  /** Responds to a message of a client. The whole body of the request is in memory. */
  respond(request: Request, access: McpAccess): Promise<Response>;
  /** Ends all open responses. Runs go on. */
  close(): Promise<void>;
}
