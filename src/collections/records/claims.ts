/** Documents by which a record is found by what it was made for: of several who make it at once, one does. */
import type { Hash } from "../../ports/hash.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import type { RecordDocument } from "./record.ts";
import { recordKey } from "./record-rows.ts";

interface Claim {
  readonly record_id: string;
}

/** What was found, and how to become the one that is found. */
export interface FoundClaim {
  readonly key: Key;
  /** The record, if it is there still. */
  readonly document: RecordDocument | null;
  /** To be committed with the record: of several who do so at once, one gets through. */
  taken(recordId: string): Change;
}

export interface Claims {
  /** @param purpose What the record is made for, as a JSON value. */
  find(collectionId: string, purpose: object): Promise<FoundClaim>;
  /** To be committed with the removal of a record. */
  released(document: RecordDocument): Promise<readonly Change[]>;
}

export function createClaims({ store, hash }: { store: Store; hash: Hash }): Claims {
  return {
    async find(collectionId, purpose) {
      const key: Key = `record-claim:${hash.sha256(JSON.stringify([collectionId, purpose]))}`;
      const claim = await store.get<Claim>(key);
      const found = claim === null ? null : await store.get<RecordDocument>(recordKey(claim.document.record_id));
      return {
        key,
        document: found?.document ?? null,
        taken: (record_id) => ({ key, document: { record_id }, expected: claim?.version ?? null }),
      };
    },

    async released({ id, claims }) {
      const found = await store.getMany<Claim>(claims);
      return claims.flatMap((key, index) => {
        const claim = found[index];
        if (claim?.document.record_id !== id) return [];
        return [{ key, document: null, expected: claim.version }];
      });
    },
  };
}
