/** s3rver on a free loopback port. */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import S3rver, { type ObjectStore, type PutObject } from "s3rver";
import type { TestServer } from "./redis.ts";

export const BUCKET = "stepwell";
/** The only credentials that s3rver accepts. */
export const CREDENTIALS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER", region: "us-east-1" } as const;

export async function startS3(): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), "stepwell-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  server.store.putObject = (object) => putWhole(server.store, object);
  const { port } = await server.run();
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

let writes = 0;

/**
 * Replaces an object at once, as S3 does. s3rver writes over the object and answers before all is written, so that a
 * busy machine reads half of an object or the one before.
 */
async function putWhole(store: ObjectStore, { bucket, key, content, metadata }: PutObject) {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.concat(await content.toArray());
  const md5 = createHash("md5").update(bytes).digest("hex");
  const path = store.getResourcePath(bucket, key, "object");
  const written = `${path}.${writes++}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(written, bytes);
  await rename(written, path);
  await store.putMetadata(bucket, key, metadata, md5);
  return { size: bytes.length, md5 };
}
