/** Starts the servers of the tests once, and provides their URLs to the tests. */
import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";
import { startRedis } from "./redis.ts";
import { startS3 } from "./s3.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly redis: string;
    readonly postgres: string;
    readonly s3: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [redis, postgres, s3] = await Promise.all([startRedis(), startPostgres(), startS3()]);
  project.provide("redis", redis.url);
  project.provide("postgres", postgres.url);
  project.provide("s3", s3.url);
  return async () => {
    await Promise.all([redis.close(), postgres.close(), s3.close()]);
  };
}
