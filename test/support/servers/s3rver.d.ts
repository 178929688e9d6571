/** Types for the parts of s3rver that the tests use: it has none. */
declare module "s3rver" {
  import type { Readable } from "node:stream";

  export interface PutObject {
    readonly bucket: string;
    readonly key: string;
    readonly content: Buffer | Readable;
    readonly metadata: Readonly<Record<string, string>>;
  }

  export interface ObjectStore {
    putObject(object: PutObject): Promise<{ readonly size: number; readonly md5: string }>;
    getResourcePath(bucket: string, key: string, resource: "object"): string;
    putMetadata(bucket: string, key: string, metadata: PutObject["metadata"], md5: string): Promise<void>;
  }

  export default class S3rver {
    readonly store: ObjectStore;
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[];
    });
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
