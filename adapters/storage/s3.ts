/**
 * A driver for S3-compatible services, with range reads, conditional creation and paginated listing. Requires
 * `aws4fetch`.
 */
import { defineDriver } from "unstorage";
import { omitUndefined } from "../../src/json.ts";
import { alreadyExists, type ExtendedDriver, type WriteOptions } from "../../src/ports/driver.ts";
import { packageProblem } from "../package-problem.ts";
import { withOwners } from "./owned.ts";
import {
  createS3Owner,
  GENERATION,
  incrementGeneration,
  isDeleted,
  probeConditions,
  type S3Body,
  type S3Request,
} from "./s3-owner.ts";

/** Options of the S3 driver. */
export interface S3DriverOptions {
  /** URL of the service: `https://s3.eu-central-1.amazonaws.com`, `https://<account>.r2.cloudflarestorage.com`. */
  readonly endpoint: string;
  /** Name of the bucket, which must exist. */
  readonly bucket: string;
  /** Region of the bucket, such as `eu-central-1`; `auto` for services without regions. */
  readonly region: string;
  /** Id of the access key. */
  readonly accessKeyId: string;
  /** Secret of the access key. */
  readonly secretAccessKey: string;
  /** Session token of temporary credentials. @default none */
  readonly sessionToken?: string;
  /** Prefix of all object names, such as `stepwell/`. @default "" */
  readonly prefix?: string;
  /**
   * `path` puts the bucket in the path of URLs, which every service supports; `virtual-host` puts it in the host name.
   * @default "path"
   */
  readonly addressing?: "path" | "virtual-host";
  /** Maximum retries after 429 or 5xx responses, with exponential backoff. @default 3 */
  readonly retries?: number;
}

type Send = (url: string, request: S3Request) => Promise<Response>;

/** Maximum attempts of a conditional PUT that conflicts with another PUT of the same key. */
const MAX_CONFLICT_ATTEMPTS = 3;

/**
 * @example
 * ```ts
 * createStepwell({ storage: { entities: fsDriver({ base: ".stepwell" }), blobs: s3Driver({ endpoint, bucket, … }) } });
 * ```
 */
const s3Driver: (options: S3DriverOptions) => ExtendedDriver = defineDriver((options: S3DriverOptions) => {
  for (const name of ["endpoint", "bucket", "region", "accessKeyId", "secretAccessKey"] as const) {
    if (typeof options?.[name] !== "string" || options[name] === "") {
      throw new TypeError(`The s3 driver needs the option "${name}".`);
    }
  }
  const root = rootOf(options);
  const prefix = options.prefix ?? "";
  const urlOf = (key: string) => `${root}/${encodePath(`${prefix}${key.replaceAll(":", "/")}`)}`;
  let loading: Promise<Send> | null = null;

  /** Returns the response, including 404 for a missing object, and 409 or 412 for a failed condition. */
  async function exchange(url: string, request: S3Request): Promise<Response> {
    loading ??= load(options).catch((error) => {
      loading = null;
      throw error;
    });
    const response = await (await loading)(url, request);
    if (response.ok || response.status === 412 || response.status === 409) return response;
    const text = await response.text();
    // A missing bucket must not look like an empty one.
    if (response.status === 404 && !text.includes("NoSuchBucket")) return response;
    const reason = /<Message>([^<]*)/.exec(text)?.[1] ?? response.statusText;
    throw new Error(`${request.method} ${url} failed with ${response.status}: ${reason}`);
  }

  /** Returns the response, or null if the object doesn't exist. */
  async function send(url: string, request: S3Request): Promise<Response | null> {
    const response = await exchange(url, request);
    if (response.status === 404) return null;
    if (request.method === "PUT" || !isDeleted(response)) return response;
    await response.body?.cancel();
    return null;
  }

  async function put(key: string, body: S3Body, exclusive: boolean): Promise<void> {
    const headers = exclusive ? { "if-none-match": "*" } : {};
    for (let attempt = 1; ; attempt++) {
      const response = await send(urlOf(key), { method: "PUT", headers, body });
      await response?.body?.cancel();
      if (response?.ok === true) return;
      if (response?.status === 412) throw alreadyExists(key);
      if (attempt === MAX_CONFLICT_ATTEMPTS)
        throw new Error(`PUT ${urlOf(key)} failed with ${response?.status ?? 404}`);
    }
  }

  async function bytesOf(key: string, headers: Readonly<Record<string, string>>): Promise<Uint8Array | null> {
    const response = await send(urlOf(key), { method: "GET", headers });
    return response === null ? null : new Uint8Array(await response.arrayBuffer());
  }

  async function remove(key: string): Promise<void> {
    const response = await send(urlOf(key), { method: "DELETE" });
    await response?.body?.cancel();
  }

  async function head(key: string): Promise<Headers | null> {
    return (await send(urlOf(key), { method: "HEAD" }))?.headers ?? null;
  }

  async function keysIn(base: string): Promise<string[]> {
    const keys: string[] = [];
    const query = new URLSearchParams({ "list-type": "2", prefix: `${prefix}${base.replaceAll(":", "/")}` });
    for (;;) {
      const response = await send(`${root}/?${query}`, { method: "GET" });
      const text = (await response?.text()) ?? "";
      for (const [, name = ""] of text.matchAll(/<Key>([^<]+)<\/Key>/g)) {
        const key = unescapeXml(name).slice(prefix.length).replaceAll("/", ":");
        if (key !== GENERATION) keys.push(key);
      }
      const next = /<NextContinuationToken>([^<]+)</.exec(text)?.[1];
      if (next === undefined) return keys;
      query.set("continuation-token", unescapeXml(next));
    }
  }

  const driver: ExtendedDriver = {
    name: "stepwell-s3",
    place: `the objects of the bucket "${options.bucket}" that begin with "${prefix}"`,
    copiesBytes: true,

    hasItem: async (key) => (await head(key)) !== null,
    getItem: async (key) => (await (await send(urlOf(key), { method: "GET" }))?.text()) ?? null,
    getItemRaw: (key) => bytesOf(key, {}),

    async getItemRange(key, start, end) {
      const bytes = await bytesOf(key, { range: `bytes=${start}-${end - 1}` });
      // A service without range support returns the whole object.
      return bytes !== null && bytes.length > end - start ? bytes.subarray(start, end) : bytes;
    },

    setItem: (key, value, { exclusive = false }: WriteOptions = {}) => put(key, value, exclusive),
    setItemRaw: (key, value) => put(key, value, false),
    removeItem: remove,

    async getMeta(key) {
      const headers = await head(key);
      if (headers === null) return null;
      return { size: Number(headers.get("content-length")), mtime: new Date(headers.get("last-modified") ?? 0) };
    },

    getKeys: keysIn,

    async clear(base) {
      for (const key of await keysIn(base)) await remove(key);
    },
  };

  return withOwners(driver, async (_, after) => {
    const sendFor = (key: string, request: S3Request) => exchange(urlOf(key), request);
    const conditions = await probeConditions(sendFor);
    return conditions === null ? null : createS3Owner(sendFor, await incrementGeneration(sendFor, after), conditions);
  });
});

export default s3Driver;

async function load(options: S3DriverOptions): Promise<Send> {
  const { AwsClient } = await loadClient();
  const { region, accessKeyId, secretAccessKey, sessionToken, retries = 3 } = options;
  const credentials = { accessKeyId, secretAccessKey, ...omitUndefined({ sessionToken }) };
  const client = new AwsClient({ service: "s3", region, retries, ...credentials });
  return (url, { body, ...request }) => client.fetch(url, { ...request, body: bodyOf(body) });
}

/** In `try`, so that bundlers accept that the package is missing. */
async function loadClient(): Promise<typeof import("aws4fetch")> {
  try {
    return await import("aws4fetch");
  } catch (cause) {
    throw new Error(`${packageProblem("The s3 driver", "aws4fetch", cause)}.`, { cause });
  }
}

/** Copies bytes, because the body of a request must not be shared between threads. */
const bodyOf = (body: S3Body | undefined) => (typeof body === "string" ? body : (body?.slice() ?? null));

function rootOf({ endpoint, bucket, addressing = "path" }: S3DriverOptions): string {
  const url = new URL(endpoint);
  if (addressing === "virtual-host") url.host = `${bucket}.${url.host}`;
  else url.pathname = `${url.pathname.replace(/\/$/, "")}/${encodeURIComponent(bucket)}`;
  return url.href.replace(/\/$/, "");
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(#x?[0-9a-f]+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(/^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
  });
}
