/** Claims: documents that find a record by its purpose, so that concurrent calls create only one. */
import { getNamed, type References } from "../../documents/documents.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import type { RecordDocument } from "./record.ts";
import { recordKey } from "./record-rows.ts";

interface Claim {
  readonly record_id: string;
}

/** A claim, and how to take it. */
export interface FoundClaim {
  readonly key: Key;
  /** The record; null if nobody has created it. */
  readonly document: RecordDocument | null;
  /** The change to commit with the record. Of several concurrent commits, one succeeds. */
  claimFor(recordId: string): Change;
}

/** For repairs: a claim is useless without its record. */
export const claimReferences: References = {
  "record-claim": (claim) =>
    "record_id" in claim && typeof claim.record_id === "string" ? recordKey(claim.record_id) : null,
};

export interface Claims {
  /**
   * @param purpose What the record is for, as a JSON value.
   * @throws StepwellError `unavailable` if the storage has lost the record
   */
  find(collectionId: string, purpose: object): Promise<FoundClaim>;
  /** The changes to commit with the deletion of a record. */
  releaseClaims(document: RecordDocument): Promise<readonly Change[]>;
}

export function createClaims({ store, hash }: { store: Store; hash: Hash }): Claims {
  return {
    async find(collectionId, purpose) {
      const key: Key = `record-claim:${hash.sha256(JSON.stringify([collectionId, purpose]))}`;
      const claim = await getNamed<Claim, RecordDocument>(store, key, (found) => recordKey(found.record_id));
      return {
        key,
        document: claim?.named.document ?? null,
        claimFor: (record_id) => ({ key, document: { record_id }, expected: claim?.found.version ?? null }),
      };
    },

    async releaseClaims({ id, claims }) {
      const found = await store.getMany<Claim>(claims);
      return claims.flatMap((key, index) => {
        const claim = found[index];
        if (claim?.document.record_id !== id) return [];
        return [{ key, document: null, expected: claim.version }];
      });
    },
  };
}
