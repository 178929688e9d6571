/** Requests that are sent again: the same `Idempotency-Key` creates once, also when two arrive together or we crash. */

import { checkedIdempotencyKey } from "../api/path-params.ts";
import { type Expiring, expiringRow } from "../documents/expiring-documents.ts";
import type { Receipt } from "../documents/receipt.ts";
import { isStepwellError, StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Key, Store, Stored } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS } from "../time/units.ts";
import type { ResponseSpec } from "./route.ts";

/** What is kept of a request that created something; stored in the same commit as what it created. */
interface StoredAnswer extends Expiring {
  /** Digest of the body under the key. */
  readonly request: string;
  /** Null where it holds a secret. */
  readonly answer: object | null;
}

export interface IdempotentRequest {
  /** The header as it came. */
  readonly key: string;
  /** What the key is unique within: the app and the address. */
  readonly within: readonly string[];
  readonly body: string;
  readonly response: ResponseSpec<unknown>;
}

export interface Idempotency {
  /**
   * Creates, or gives the answer of the request that did. A failed request leaves nothing: it may be sent again.
   * @throws StepwellError `idempotency_mismatch` when the key was used with another body, `conflict` when the answer was
   * a secret, `malformed` for a key that is none.
   */
  once(attempt: IdempotentRequest, create: (receipt: Receipt) => Promise<unknown>): Promise<unknown>;
}

export function createIdempotency(parts: { store: Store; clock: Clock; hash: Hash }): Idempotency {
  const { store, clock, hash } = parts;

  function repeated({ document }: Stored<StoredAnswer>, request: string): object {
    if (document.request !== request) {
      const message = "This Idempotency-Key was used with a different body in the last 24 hours. Use a new key.";
      throw new StepwellError("idempotency_mismatch", message);
    }
    if (document.answer === null) {
      const message =
        "This request was already processed. Its response contained a secret, which is not stored and cannot be repeated.";
      throw new StepwellError("conflict", message);
    }
    return document.answer;
  }

  return {
    async once({ key: given, within, body, response }, create) {
      checkedIdempotencyKey("idempotency-key", given);
      const key: Key = `idempotency:${hash.sha256(JSON.stringify([...within, given]))}`;
      // Under the key, which is not kept: a body may hold a password that is short enough to be guessed by its digest.
      const request = hash.hmac(given, body);
      const find = () => store.get<StoredAnswer>(key);
      const before = await find();
      const now = clock.now();
      if (before !== null && before.document.expires_at > instant(now)) return repeated(before, request);

      const receipt: Receipt = (answer) => {
        const entry: StoredAnswer = {
          request,
          answer: response.secret === true ? null : answer,
          expires_at: instant(now + DAY_MS),
        };
        return [{ key, document: entry, expected: before?.version ?? null, rows: [expiringRow(key, entry)] }];
      };
      try {
        return await create(receipt);
      } catch (error) {
        if (!isStepwellError(error, "conflict") || error.key !== key) throw error;
        const first = await find(); // the same request came twice at once, and the other one was committed
        if (first === null) throw error;
        return repeated(first, request);
      }
    },
  };
}
