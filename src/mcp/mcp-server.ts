/** The Model Context Protocol server of an app, as a host passes it. Types only. */
import type { Api } from "../api/api.ts";
import type { ApiKeyScope } from "../calls/caller.ts";

/** The service functions that agents use. Instances and clients (`stepwell/client`) have them. */
export interface McpApi {
  /** Finds the workflows that are tools. */
  readonly workflows: Pick<Api["workflows"], "listAll" | "get" | "getVersion">;
  /** Starts and follows their runs. */
  readonly runs: Pick<Api["runs"], "create" | "get" | "events" | "provide" | "cancel">;
  /** Asks people for what a run waits for. */
  readonly inputs: Pick<Api["inputs"], "get" | "createLink">;
  /** Reads files in outputs. */
  readonly files: Pick<Api["files"], "get" | "content">;
}

/** The app that a client of the protocol uses, with the rights of its key. */
export interface McpAccess {
  /** Id of the app. */
  readonly appId: string;
  /** Functions with the rights of the key. */
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
