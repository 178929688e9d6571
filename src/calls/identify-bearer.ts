/** Identifies the holder of a key. */
import type { Hash } from "../ports/hash.ts";
import type { ApiKeyScope } from "./caller.ts";

/** A valid API key. */
export interface VerifiedKey {
  readonly id: string;
  readonly name: string;
  readonly app_id: string;
  /** Null if the key may do everything in its app. */
  readonly scopes: readonly ApiKeyScope[] | null;
  /** ISO 8601; null if the key does not expire. */
  readonly expires_at: string | null;
}

export type Bearer = { readonly admin: true } | { readonly admin: false; readonly key: VerifiedKey };

/** Returns null for a key that is unknown, revoked or expired. The time it takes does not depend on which it is. */
export type IdentifyBearer = (token: string) => Promise<Bearer | null>;

export function createIdentifyBearer(parts: {
  keys: {
    /** Returns null for a key that is unknown, revoked or expired. */
    verify(token: string): Promise<VerifiedKey | null>;
  };
  hash: Hash;
  adminKey: string | undefined;
}): IdentifyBearer {
  const { keys, hash, adminKey } = parts;
  // Digests have a fixed length, so the comparison reveals nothing about the key.
  const adminDigest = adminKey === undefined || adminKey === "" ? null : hash.sha256(adminKey);
  return async (token) => {
    const key = await keys.verify(token);
    if (key !== null) return { admin: false, key };
    return adminDigest !== null && hash.equal(hash.sha256(token), adminDigest) ? { admin: true } : null;
  };
}
