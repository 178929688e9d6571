/** Loads `ioredis`, which the user installs. */
import type { Redis } from "ioredis";
import { packageProblem } from "../package-problem.ts";

/**
 * In `try`, so that bundlers accept that the package is missing.
 * @param what What needs it, such as `The redis driver`.
 */
export async function loadIoredis(what: string): Promise<typeof import("ioredis")> {
  try {
    return await import("ioredis");
  } catch (cause) {
    throw new Error(`${packageProblem(what, "ioredis", cause)}.`, { cause });
  }
}

/**
 * Listens for failures of a client's connection, without which ioredis would write them to the console.
 * @returns A function that throws why the connection was lost or could not be made, where ioredis only says that it has tried
 * for as long as it may. It throws any other error again.
 */
export function createCauses(client: Redis): (error: unknown) => never {
  let lastFailure: Error | null = null;
  client.on("error", (error) => {
    lastFailure = error;
  });
  return (error) => {
    throw error instanceof Error && error.name === "MaxRetriesPerRequestError" ? (lastFailure ?? error) : error;
  };
}

/** URLs of Redis, with or without TLS, and of Unix sockets. */
export function isRedisUrl(url: unknown): url is string {
  return typeof url === "string" && /^(rediss?|unix):\/\/|^\//.test(url);
}
