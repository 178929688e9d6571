/**
 * The SDK of the protocol, which is loaded when it is needed. Bundlers accept that a package is missing if its import is in
 * `try`.
 */
import { StepwellError } from "../../src/errors.ts";
import { packageProblem } from "../package-problem.ts";

export type Sdk = typeof import("@modelcontextprotocol/server");
export type ClientSdk = typeof import("@modelcontextprotocol/client");

const SERVER = "@modelcontextprotocol/server";
const CLIENT = "@modelcontextprotocol/client";

/** @throws StepwellError `not_configured` if the package is not installed, as all of these functions */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await import("@modelcontextprotocol/server");
  } catch (cause) {
    throw notInstalled("MCP", SERVER, cause);
  }
}

export async function loadStdioServer(): Promise<typeof import("@modelcontextprotocol/server/stdio")> {
  try {
    return await import("@modelcontextprotocol/server/stdio");
  } catch (cause) {
    throw notInstalled("MCP", SERVER, cause);
  }
}

export async function loadClientSdk(): Promise<ClientSdk> {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (cause) {
    throw notInstalled("mcpService", CLIENT, cause);
  }
}

export async function loadStdioClient(): Promise<typeof import("@modelcontextprotocol/client/stdio")> {
  try {
    return await import("@modelcontextprotocol/client/stdio");
  } catch (cause) {
    throw notInstalled("mcpService", CLIENT, cause);
  }
}

export async function loadValidators(): Promise<typeof import("@modelcontextprotocol/client/validators/cf-worker")> {
  try {
    return await import("@modelcontextprotocol/client/validators/cf-worker");
  } catch (cause) {
    throw notInstalled("mcpService", CLIENT, cause);
  }
}

function notInstalled(what: string, name: string, cause: unknown): StepwellError {
  return new StepwellError("not_configured", `${packageProblem(what, name, cause)}.`, { cause });
}
