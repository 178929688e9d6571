/** Loads `ioredis`, which the user installs. */
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

/** URLs of Redis, with or without TLS, and of Unix sockets. */
export function isRedisUrl(url: unknown): url is string {
  return typeof url === "string" && /^(rediss?|unix):\/\/|^\//.test(url);
}
