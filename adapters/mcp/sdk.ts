/** The SDK of the protocol, which is loaded with the first request. */
import { StepwellError } from "../../src/errors.ts";

export type Sdk = typeof import("@modelcontextprotocol/server");

let loading: Promise<Sdk> | undefined;

/** @throws StepwellError `not_configured` if the package is not installed */
export function loadSdk(): Promise<Sdk> {
  loading ??= import("@modelcontextprotocol/server").catch((cause: unknown) => {
    loading = undefined;
    const message = "MCP needs the package @modelcontextprotocol/server: npm install @modelcontextprotocol/server.";
    throw new StepwellError("not_configured", message, { cause });
  });
  return loading;
}
