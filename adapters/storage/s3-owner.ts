/**
 * Writes to a bucket as its owner does. S3 has no transactions, but it writes on condition: an object is created only where
 * there is none, and replaced or removed only as it was found. A process that takes over increments the owner object; each write
 * looks at it before it is acknowledged.
 */
import { alreadyExists, fenced, type WriteOptions } from "../../src/ports/driver.ts";
import type { DriverOwner } from "./owned.ts";

export type S3Body = string | Uint8Array;

export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
}

/** Sends a request for a key, and gives every answer that the service gave on purpose. */
export type S3Send = (key: string, request: S3Request) => Promise<Response>;

/** Not the keys of items, which have a colon. */
export const GENERATION = "generation";
const PROBE = "probe";
/** Who wrote an object, and that it stands for one that was removed. */
const GENERATION_HEADER = "x-amz-meta-stepwell-generation";
const REMOVED_HEADER = "x-amz-meta-stepwell-removed";
/** An ETag that no object has. */
const NO_ETAG = '"none"';
/** Tries of a conditional request that another request for the same key got in the way of. */
const MAX_TRIES = 10;
/** Each look is a request that costs money. */
const VERIFY_INTERVAL_MS = 10_000;

export interface S3Conditions {
  /** Whether the service removes on condition; where it does not, an object that says so takes the place. */
  readonly removes: boolean;
}

/** What the service does on condition; null when it replaces or creates regardless. */
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
    return { removes: (await statusOf({ method: "DELETE", headers: { "if-match": NO_ETAG } })) === 412 };
  } finally {
    await statusOf({ method: "DELETE" });
  }
}

/** Whether an answer stands for an object that was removed. */
export function isRemoved(response: Response): boolean {
  return response.headers.has(REMOVED_HEADER);
}

/** Counts the owner object up. */
export async function countOwner(send: S3Send): Promise<number> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const found = await send(GENERATION, { method: "GET" });
    const before = found.status === 404 ? 0 : Number(await found.text());
    if (!Number.isSafeInteger(before))
      throw new Error(`The object "${GENERATION}" does not contain a generation number.`);
    const response = await send(GENERATION, { method: "PUT", headers: asFound(found), body: String(before + 1) });
    await response.body?.cancel();
    if (response.ok) return before + 1;
  }
  throw new Error("Other processes keep taking over this storage.");
}

export function createS3Owner(send: S3Send, generation: number, { removes }: S3Conditions): DriverOwner {
  const written = { [GENERATION_HEADER]: String(generation) };

  async function verify(): Promise<void> {
    const response = await send(GENERATION, { method: "GET" });
    if ((await response.text()) !== String(generation)) throw fenced();
  }

  /** Sends what depends on the object as it is now, again when that changed meanwhile. */
  async function onCondition(key: string, requestOf: (found: Response) => S3Request | null): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
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
    onCondition(key, (found) => ({ method: "PUT", headers: { ...written, ...asFound(found) }, body }));

  async function create(key: string, body: S3Body): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const response = await send(key, { method: "PUT", headers: { ...written, "if-none-match": "*" }, body });
      await response.body?.cancel();
      if (response.ok) return verify();
      if (response.status !== 412) continue;
      if (!removes && isRemoved(await send(key, { method: "HEAD" }))) return replace(key, body);
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
      onCondition(key, (found) => {
        if (found.status === 404 || isRemoved(found)) return null;
        if (removes) return { method: "DELETE", headers: asFound(found) };
        const headers = { ...written, ...asFound(found), [REMOVED_HEADER]: "true" };
        return { method: "PUT", headers, body: `removed by owner ${generation}` };
      }),
  };
}

/** The condition that an object is still as it was found. */
function asFound(found: Response): Record<string, string> {
  const etag = found.headers.get("etag");
  return found.status === 404 || etag === null ? { "if-none-match": "*" } : { "if-match": etag };
}
