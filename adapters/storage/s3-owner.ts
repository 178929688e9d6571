/**
 * Writes to a bucket as its owner. S3 has no transactions, but conditional requests: an object is created only if it
 * doesn't exist, and replaced or deleted only if it hasn't changed. A process that takes over increments the generation
 * in the owner object. Every write checks it before it is acknowledged.
 */
import { alreadyExists, fenced, type WriteOptions } from "../../src/ports/driver.ts";
import type { DriverOwner } from "./owned.ts";

export type S3Body = string | Uint8Array;

export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
}

/** Sends a request for a key. Resolves with expected responses, including 404 and failed conditions. */
export type S3Send = (key: string, request: S3Request) => Promise<Response>;

/** Keys without a colon, unlike those of items. */
export const GENERATION = "generation";
const PROBE = "probe";
/** Metadata: the owner that wrote an object, and whether the object counts as deleted. */
const GENERATION_HEADER = "x-amz-meta-stepwell-generation";
const DELETED_HEADER = "x-amz-meta-stepwell-removed";
/** An ETag that no object has. */
const NO_ETAG = '"none"';
/** Maximum attempts of a conditional request that conflicts with other requests for the same key. */
const MAX_ATTEMPTS = 10;
/** Checks are rare, because each is a paid request. */
const VERIFY_INTERVAL_MS = 10_000;

export interface S3Conditions {
  /** Whether the service supports conditional deletes. If not, a deleted object is replaced by a short one that marks it. */
  readonly supportsDelete: boolean;
}

/** Detects which conditional requests the service supports. Returns null if it ignores conditions of PUT requests. */
export async function probeConditions(send: S3Send): Promise<S3Conditions | null> {
  const key = `${PROBE}-${crypto.randomUUID()}`;
  const statusOf = async (request: S3Request) => {
    const response = await send(key, request);
    await response.body?.cancel();
    return response.status;
  };
  const create: S3Request = { method: "PUT", headers: { "if-none-match": "*" }, body: "probe" };
  try {
    await statusOf(create);
    if ((await statusOf(create)) !== 412) return null;
    if ((await statusOf({ method: "PUT", headers: { "if-match": NO_ETAG }, body: "probe" })) !== 412) return null;
    return { supportsDelete: (await statusOf({ method: "DELETE", headers: { "if-match": NO_ETAG } })) === 412 };
  } finally {
    await statusOf({ method: "DELETE" });
  }
}

/** Whether the object counts as deleted. */
export function isDeleted(response: Response): boolean {
  return response.headers.has(DELETED_HEADER);
}

/** Increments the generation in the owner object, or the number `after` if that is greater. */
export async function incrementGeneration(send: S3Send, after: number): Promise<number> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const found = await send(GENERATION, { method: "GET" });
    const before = found.status === 404 ? 0 : Number(await found.text());
    if (!Number.isSafeInteger(before))
      throw new Error(`The object "${GENERATION}" does not contain a generation number.`);
    const generation = Math.max(before, after) + 1;
    const response = await send(GENERATION, { method: "PUT", headers: matchHeaders(found), body: String(generation) });
    await response.body?.cancel();
    if (response.ok) return generation;
  }
  throw new Error("Other processes keep taking over this storage.");
}

export function createS3Owner(send: S3Send, generation: number, { supportsDelete }: S3Conditions): DriverOwner {
  const generationHeader = { [GENERATION_HEADER]: String(generation) };

  async function verify(): Promise<void> {
    const response = await send(GENERATION, { method: "GET" });
    if ((await response.text()) !== String(generation)) throw fenced();
  }

  /** Sends a request that is conditional on the object's current state, and retries if that changes meanwhile. */
  async function sendConditionally(key: string, requestOf: (found: Response) => S3Request | null): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const found = await send(key, { method: "HEAD" });
      if (Number(found.headers.get(GENERATION_HEADER) ?? 0) > generation) throw fenced();
      const request = requestOf(found);
      if (request === null) return verify();
      const response = await send(key, request);
      await response.body?.cancel();
      if (response.ok || (response.status === 404 && request.method === "DELETE")) return verify();
    }
    throw new Error(`The object "${key}" kept changing while it was written.`);
  }

  const replace = (key: string, body: S3Body) =>
    sendConditionally(key, (found) => ({
      method: "PUT",
      headers: { ...generationHeader, ...matchHeaders(found) },
      body,
    }));

  async function create(key: string, body: S3Body): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const response = await send(key, { method: "PUT", headers: { ...generationHeader, "if-none-match": "*" }, body });
      await response.body?.cancel();
      if (response.ok) return verify();
      if (response.status !== 412) continue;
      if (!supportsDelete && isDeleted(await send(key, { method: "HEAD" }))) return replace(key, body);
      throw alreadyExists(key);
    }
    throw new Error(`The object "${key}" kept changing while it was created.`);
  }

  const set = (key: string, body: S3Body, { exclusive = false }: WriteOptions = {}) =>
    exclusive ? create(key, body) : replace(key, body);

  return {
    generation,
    verify,
    verifyIntervalMs: VERIFY_INTERVAL_MS,
    setItem: set,
    setItemRaw: set,
    removeItem: (key) =>
      sendConditionally(key, (found) => {
        if (found.status === 404 || isDeleted(found)) return null;
        if (supportsDelete) return { method: "DELETE", headers: matchHeaders(found) };
        const headers = { ...generationHeader, ...matchHeaders(found), [DELETED_HEADER]: "true" };
        return { method: "PUT", headers, body: `removed by owner ${generation}` };
      }),
  };
}

/** Returns the condition that an object has not changed. */
function matchHeaders(found: Response): Record<string, string> {
  const etag = found.headers.get("etag");
  return found.status === 404 || etag === null ? { "if-none-match": "*" } : { "if-match": etag };
}
