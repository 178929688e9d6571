/** Idempotency keys: repeats of a request create only once, even if they arrive concurrently or after a crash. */

import { checkedIdempotencyKey } from "../calls/path-params.ts";
import { type Expiring, expiringRow } from "../documents/expiring-documents.ts";
import type { Receipt, RepeatableParts } from "../documents/receipt.ts";
import { isStepwellError, StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Key, Store, Stored } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS } from "../time/units.ts";
import type { ResponseSpec } from "./route.ts";

/** The stored response of a request that created something, committed together with it. */
interface StoredAnswer extends Expiring {
  /** HMAC of the body with the key. */
  readonly request: string;
  /** Null if the response may contain a secret. */
  readonly answer: object | null;
}

export interface IdempotentRequest {
  /** Value of the header. */
  readonly key: string;
  /** Scope of the key: the app and the path. */
  readonly within: readonly string[];
  readonly body: string;
  /** @default a response without a secret */
  readonly response?: Pick<ResponseSpec<unknown>, "secret">;
}

export interface Idempotency {
  /**
   * Creates, or returns the response of the first request with this key. A failed request stores nothing, so the caller can
   * send it again.
   * @throws StepwellError `idempotency_mismatch` if the key was used with another body; `conflict` if the response contained
   * a secret; `malformed` for an invalid key
   */
  once(attempt: IdempotentRequest, create: (receipt: Receipt) => Promise<unknown>): Promise<unknown>;
  /**
   * The same for the parts of a request. A repeat executes the parts that have not succeeded.
   * @throws StepwellError `idempotency_mismatch`; `malformed`
   */
  parts(attempt: IdempotentRequest): Promise<RepeatableParts>;
}

export function createIdempotency(parts: { store: Store; clock: Clock; hash: Hash }): Idempotency {
  const { store, clock, hash } = parts;

  const documentKey = (within: readonly string[], given: string): Key =>
    `idempotency:${hash.sha256(JSON.stringify([...within, given]))}`;

  function replay({ document }: Stored<StoredAnswer>, request: string): object {
    if (document.request !== request) {
      const message = "This Idempotency-Key was used with a different body in the last 24 hours. Use a new key.";
      throw new StepwellError("idempotency_mismatch", message);
    }
    if (document.answer === null) {
      const message =
        "This request was already processed. Its response is not stored, because it may contain a secret.";
      throw new StepwellError("conflict", message);
    }
    return document.answer;
  }

  const idempotency: Idempotency = {
    async once({ key: given, within, body, response }, create) {
      checkedIdempotencyKey("idempotency-key", given);
      const key = documentKey(within, given);
      // Keyed with the idempotency key, which is not stored: a plain digest would reveal a guessable password in the body.
      const request = hash.hmac(given, body);
      const find = () => store.get<StoredAnswer>(key);
      const before = await find();
      const now = clock.now();
      if (before !== null && before.document.expires_at > instant(now)) return replay(before, request);

      const receipt: Receipt = (answer) => {
        const entry: StoredAnswer = {
          request,
          answer: response?.secret === true ? null : answer,
          expires_at: instant(now + DAY_MS),
        };
        return [{ key, document: entry, expected: before?.version ?? null, rows: [expiringRow(key, entry)] }];
      };
      try {
        return await create(receipt);
      } catch (error) {
        if (!isStepwellError(error, "conflict") || error.key !== key) throw error;
        const first = await find(); // a concurrent request with the same key won
        if (first === null) throw error;
        return replay(first, request);
      }
    },

    async parts(attempt) {
      const inPart = (part: string) => [...attempt.within, "part", part];
      // Before the body is validated, as for other requests: an invalid body is another body.
      checkedIdempotencyKey("idempotency-key", attempt.key);
      const begun = await store.get<StoredAnswer>(documentKey(inPart("begin"), attempt.key));
      if (begun !== null && begun.document.expires_at > instant(clock.now())) {
        replay(begun, hash.hmac(attempt.key, attempt.body));
      }
      return {
        async begin() {
          await idempotency.once({ ...attempt, within: inPart("begin") }, (receipt) => store.commit(receipt({})));
        },
        // `begin` has compared the body: a digest of it for each part would take quadratic time.
        once: (part, act) => idempotency.once({ ...attempt, within: inPart(part), body: "" }, act),
      };
    },
  };
  return idempotency;
}
