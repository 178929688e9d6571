/** Starts the servers of the tests once, and provides their URLs to the tests. */
import type { TestProject } from "vitest/node";
import { startRedis } from "./redis.ts";
import { startS3 } from "./s3.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly redis: string;
    readonly s3: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [redis, s3] = await Promise.all([startRedis(), startS3()]);
  project.provide("redis", redis.url);
  project.provide("s3", s3.url);
  return async () => {
    await Promise.all([redis.close(), s3.close()]);
  };
}
