/** Storages that two owners use with a driver each, as two machines do: only fencing separates them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFsDriver } from "../../../adapters/storage/fs/fs.ts";
import memory from "../../../adapters/storage/memory.ts";
import redis from "../../../adapters/storage/redis.ts";
import s3 from "../../../adapters/storage/s3.ts";
import { startConditionalS3 } from "../../support/servers/conditional-s3.ts";
import type { SharedStorage } from "./scenario.ts";

export const DRIVERS = ["memory", "fs", "redis", "s3"] as const;
export type DriverName = (typeof DRIVERS)[number];

const CREDENTIALS = { bucket: "some-bucket", region: "auto", accessKeyId: "id", secretAccessKey: "secret" };
let count = 0;

export async function openSharedStorage(name: DriverName, redisUrl: string): Promise<SharedStorage> {
  switch (name) {
    case "memory": {
      const driver = memory();
      return { open: () => ({ ...driver, dispose: () => undefined }), clean: async () => undefined };
    }
    case "fs": {
      const base = await mkdtemp(join(tmpdir(), "stepwell-takeover-"));
      // As on two machines that share a folder: neither sees the lock of the other.
      return {
        open: () => createFsDriver({ base }, () => () => undefined),
        clean: () => rm(base, { recursive: true, force: true }),
      };
    }
    case "redis": {
      const prefix = `takeover-${process.pid}-${count++}:`;
      return { open: () => redis({ url: redisUrl, prefix }), clean: async () => undefined };
    }
    case "s3": {
      const server = await startConditionalS3();
      return { open: () => s3({ endpoint: server.url, ...CREDENTIALS }), clean: server.close };
    }
  }
}
